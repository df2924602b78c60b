/** The prepare job: from a user's table to encoded, standardised, shuffled blocks. */
@NullMarked
package org.lampyris.dataprep.prepare;

import org.jspecify.annotations.NullMarked;
