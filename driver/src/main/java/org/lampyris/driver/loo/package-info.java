/** Leave-one-out cross-validation of runs, from some of their rows. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.loo;
