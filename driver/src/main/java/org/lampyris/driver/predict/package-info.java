/** Predictions for new rows, by the draws of a run. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.predict;
