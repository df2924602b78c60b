/** Regression with Student-t noise: its likelihood, its lower bound. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.robust;
