/** Taylor polynomials in the likelihood's place, with a bound on what they leave over. */
@NullMarked
package org.lampyris.bounds.proxy;

import org.jspecify.annotations.NullMarked;
