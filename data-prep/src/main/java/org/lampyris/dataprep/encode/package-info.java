/** Rows as bytes: how they are read and encoded, before levels have their numbers and after. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.encode;
