/** Priors of coefficients, read and scaled by the columns. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.prior;
