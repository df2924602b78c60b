/** What one look at all rows of a table finds, and what is refused by it. */
@NullMarked
package org.lampyris.dataprep.scan;

import org.jspecify.annotations.NullMarked;
