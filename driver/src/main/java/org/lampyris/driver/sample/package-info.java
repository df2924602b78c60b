/** The chains of a run: their kernels, their starting points, and their threads. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.sample;
