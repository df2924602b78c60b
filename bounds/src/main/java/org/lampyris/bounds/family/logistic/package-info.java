/** Logistic regression: its likelihood, its lower bounds. */
@NullMarked
package org.lampyris.bounds.family.logistic;

import org.jspecify.annotations.NullMarked;
