/** Linear regression, the noise's scale known or sampled: its likelihoods, its lower bounds. */
@NullMarked
package org.lampyris.bounds.family.gaussian;

import org.jspecify.annotations.NullMarked;
