/** Regression with Student-t noise: its likelihood, its lower bound. */
@NullMarked
package org.lampyris.bounds.family.robust;

import org.jspecify.annotations.NullMarked;
