/**
 * Two classes by a linear predictor: logistic regression with its bounds, and probit regression.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.binary;
