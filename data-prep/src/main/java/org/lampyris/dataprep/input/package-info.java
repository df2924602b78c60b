/** Tables as users have them: their files, formats and columns, and a query over them. */
@NullMarked
package org.lampyris.dataprep.input;

import org.jspecify.annotations.NullMarked;
