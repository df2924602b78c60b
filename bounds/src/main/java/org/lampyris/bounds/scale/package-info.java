/** The columns of a design matrix: their moments, their scale, and which are combinations. */
@NullMarked
package org.lampyris.bounds.scale;

import org.jspecify.annotations.NullMarked;
