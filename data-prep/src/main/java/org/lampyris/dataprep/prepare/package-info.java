/** The prepare job: from a user's table to encoded, standardised, shuffled blocks. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.prepare;
