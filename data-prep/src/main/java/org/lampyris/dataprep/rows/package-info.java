/** The rows of a selected table, as Spark reads them, and where in the input they are from. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.rows;
