/** Logistic regression: its likelihood, its lower bounds. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.logistic;
