/** The prepared table as it is stored, and as an RDD of blocks. */
@NullMarked
package org.lampyris.executors.table;

import org.jspecify.annotations.NullMarked;
