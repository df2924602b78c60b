/** Metropolis–Hastings by Taylor proxies and a few rows, on Spark. */
@NullMarked
package org.lampyris.executors.subsampled;

import org.jspecify.annotations.NullMarked;
