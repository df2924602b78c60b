/** Regression of a count: its likelihood. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.poisson;
