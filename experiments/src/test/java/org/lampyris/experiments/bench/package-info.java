/** Tests of the benchmark. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.bench;
