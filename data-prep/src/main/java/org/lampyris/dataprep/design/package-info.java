/** How columns of the input become the columns that coefficients belong to. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.design;
