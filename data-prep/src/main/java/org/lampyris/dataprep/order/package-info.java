/** The order of a table's rows, and the blocks that they are packed in. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.order;
