/** Posterior predictive checks: whether the rows look as the model expects. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.predictive;
