/** Collapsible lower bounds on the likelihood of a row, and the quadratic that they collapse to. */
@NullMarked
package org.lampyris.bounds.lowerbound;

import org.jspecify.annotations.NullMarked;
