/** Experiments: benchmarks and the tables of the Firefly paper, as commands beside the driver's. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments;
