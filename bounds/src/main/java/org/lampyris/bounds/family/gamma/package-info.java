/** Regression of a positive number with gamma noise: its likelihood. */
@NullMarked
package org.lampyris.bounds.family.gamma;

import org.jspecify.annotations.NullMarked;
