/** The columns of a design matrix: their moments, their scale, and which are combinations. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.scale;
