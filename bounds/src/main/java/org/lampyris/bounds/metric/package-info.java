/** Lengths in posterior standard deviations, and the balls that they make. */
@NullMarked
package org.lampyris.bounds.metric;

import org.jspecify.annotations.NullMarked;
