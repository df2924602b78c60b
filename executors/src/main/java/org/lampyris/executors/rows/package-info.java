/** The resident rows of an algorithm, and the ways to run on them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.rows;
