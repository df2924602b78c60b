/** Measurements that the defaults and the documentation rest on; run on request. */
@NullMarked
package org.lampyris.samplers.benchmark;

import org.jspecify.annotations.NullMarked;
