/** Tests of rows that came later. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.blocks;
