/** Benchmarks of the passes over blocks; CONTRIBUTING.md says how to run them. */
@NullMarked
package org.lampyris.bounds.benchmark;

import org.jspecify.annotations.NullMarked;
