/** The prepared table as it is stored, and as an RDD of blocks. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.table;
