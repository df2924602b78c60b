/** Regression of a count: its likelihood. */
@NullMarked
package org.lampyris.bounds.family.poisson;

import org.jspecify.annotations.NullMarked;
