/** Prepared table: its stored form, and its form as an RDD of blocks. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.table;
