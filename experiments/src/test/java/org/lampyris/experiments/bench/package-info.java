/** Tests of the benchmark. */
@NullMarked
package org.lampyris.experiments.bench;

import org.jspecify.annotations.NullMarked;
