/** Scalar functions that stay accurate at extreme arguments. */
@NullMarked
package org.lampyris.bounds.numeric;

import org.jspecify.annotations.NullMarked;
