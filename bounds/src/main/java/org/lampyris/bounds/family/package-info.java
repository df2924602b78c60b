/** Families: a likelihood with its lower bound and the names of its coefficients, by name. */
@NullMarked
package org.lampyris.bounds.family;

import org.jspecify.annotations.NullMarked;
