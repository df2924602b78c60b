/** Benchmarks of the passes over blocks; CONTRIBUTING.md says how to run them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.benchmark;
