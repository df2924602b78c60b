/** How compressed text is read. */
@NullMarked
package org.lampyris.dataprep.compress;

import org.jspecify.annotations.NullMarked;
