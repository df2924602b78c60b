/** Prior densities of coefficients. */
@NullMarked
package org.lampyris.bounds.prior;

import org.jspecify.annotations.NullMarked;
