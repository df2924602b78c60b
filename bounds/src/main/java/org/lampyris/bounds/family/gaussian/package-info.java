/** Linear regression, the noise's scale known or sampled: its likelihoods, its lower bounds. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.gaussian;
