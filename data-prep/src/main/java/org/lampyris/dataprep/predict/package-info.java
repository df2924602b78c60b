/** Rows that came later, as a prepared table's columns have them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.predict;
