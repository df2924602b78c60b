/** The rates with which dark rows become candidates for turning bright. */
@NullMarked
package org.lampyris.samplers.firefly.rates;

import org.jspecify.annotations.NullMarked;
