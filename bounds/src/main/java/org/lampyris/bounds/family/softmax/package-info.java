/** Softmax regression: its likelihood, its lower bound. */
@NullMarked
package org.lampyris.bounds.family.softmax;

import org.jspecify.annotations.NullMarked;
