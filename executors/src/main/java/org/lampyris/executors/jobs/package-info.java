/** Jobs over blocks, and sums in one order. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.jobs;
