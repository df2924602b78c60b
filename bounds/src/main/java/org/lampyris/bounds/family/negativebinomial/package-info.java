/** Regression of an over-dispersed count: its likelihood, its lower bound. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.negativebinomial;
