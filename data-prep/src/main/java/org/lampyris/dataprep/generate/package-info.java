/** The generate job: synthetic tables with known coefficients. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.generate;
