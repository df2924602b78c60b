/** Measurements that the defaults and the documentation rest on; run on request. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.benchmark;
