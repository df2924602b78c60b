/** Pictures of the papers: of a few rows in memory, and of the draws of an experiment. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.pictures;
