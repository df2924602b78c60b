/** Regression of the successes in a number of trials: its likelihood, its lower bound. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.binomial;
