/** Tables that an algorithm hands over row by row, because they are too long for memory. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.table;
