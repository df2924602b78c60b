/** The input: files and formats, cells, rows, and what a scan sees of them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.read;
