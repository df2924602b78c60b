/** How columns of the input become the columns that coefficients belong to. */
@NullMarked
package org.lampyris.dataprep.design;

import org.jspecify.annotations.NullMarked;
