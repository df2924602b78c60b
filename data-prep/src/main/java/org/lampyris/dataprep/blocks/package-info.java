/** Rows as numbers, in their order, packed into blocks: the job prepare. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.blocks;
