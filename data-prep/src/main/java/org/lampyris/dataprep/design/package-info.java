/** Design of a table: the conversion of input columns to the columns of coefficients. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.design;
