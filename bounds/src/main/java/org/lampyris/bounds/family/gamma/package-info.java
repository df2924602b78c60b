/** Regression of a positive number with gamma noise: its likelihood. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.gamma;
