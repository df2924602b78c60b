/** The figures of probabilistic programs. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.programs;
