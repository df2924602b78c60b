/** Taylor polynomials in the likelihood's place, with a bound on what they leave over. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.proxy;
