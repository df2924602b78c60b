/** Regression of a number between 0 and 1: its likelihood. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.beta;
