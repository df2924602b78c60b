/** Scalar functions that stay accurate at extreme arguments. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.numeric;
