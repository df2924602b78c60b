/** Rows in packed blocks, the products over them, and sums along one tree. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.rows;
