/** Prior densities of coefficients. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.prior;
