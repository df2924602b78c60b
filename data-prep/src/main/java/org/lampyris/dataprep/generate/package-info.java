/** The generate job: synthetic tables with known coefficients. */
@NullMarked
package org.lampyris.dataprep.generate;

import org.jspecify.annotations.NullMarked;
