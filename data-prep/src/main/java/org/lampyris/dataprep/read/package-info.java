/** Input of tables: files and formats, cells, rows, and scans of them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.read;
