/** Experiments: benchmarks and the tables of the Firefly paper, as commands beside the driver's. */
@NullMarked
package org.lampyris.experiments;

import org.jspecify.annotations.NullMarked;
