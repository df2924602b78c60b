/** Collapsible lower bounds on the likelihood of a row, and the quadratic that they collapse to. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.lowerbound;
