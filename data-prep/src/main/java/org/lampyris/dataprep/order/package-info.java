/** The order of a table's rows, and the blocks that they are packed in. */
@NullMarked
package org.lampyris.dataprep.order;

import org.jspecify.annotations.NullMarked;
