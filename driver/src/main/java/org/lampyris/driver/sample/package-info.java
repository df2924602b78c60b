/** The chains of a run: their kernels, their starting points, and their threads. */
@NullMarked
package org.lampyris.driver.sample;

import org.jspecify.annotations.NullMarked;
