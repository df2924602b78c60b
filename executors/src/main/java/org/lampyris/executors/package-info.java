/** Lampyris on Spark's executors. */
@NullMarked
package org.lampyris.executors;

import org.jspecify.annotations.NullMarked;
