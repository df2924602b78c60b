/** The levels of columns that groups of rows have effects by. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.levels;
