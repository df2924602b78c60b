/** Benchmarks: algorithms on tables of many sizes, beside what the machine can do. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.bench;
