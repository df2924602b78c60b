/** Tables as users have them: their files, formats and columns, and a query over them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.input;
