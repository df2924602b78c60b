/** Lampyris on Spark's executors. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors;
