/** The rates with which dark rows become candidates for turning bright. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.firefly.rates;
