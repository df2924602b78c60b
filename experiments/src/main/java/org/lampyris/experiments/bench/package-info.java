/** Benchmarks: algorithms on tables of many sizes, beside what the machine can do. */
@NullMarked
package org.lampyris.experiments.bench;

import org.jspecify.annotations.NullMarked;
