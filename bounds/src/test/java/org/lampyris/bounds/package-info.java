/** Reference values for tests. */
@NullMarked
package org.lampyris.bounds;

import org.jspecify.annotations.NullMarked;
