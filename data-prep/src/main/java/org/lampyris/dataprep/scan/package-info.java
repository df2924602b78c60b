/** What one look at all rows of a table finds, and what is refused by it. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.scan;
