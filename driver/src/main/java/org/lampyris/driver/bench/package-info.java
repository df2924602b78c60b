/** Benchmarks: algorithms on tables of many sizes, beside what the machine can do. */
@NullMarked
package org.lampyris.driver.bench;

import org.jspecify.annotations.NullMarked;
