/** Tests of the benchmark. */
@NullMarked
package org.lampyris.driver.bench;

import org.jspecify.annotations.NullMarked;
