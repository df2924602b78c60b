/** The query that shapes a table. */
@NullMarked
package org.lampyris.dataprep.query;

import org.jspecify.annotations.NullMarked;
