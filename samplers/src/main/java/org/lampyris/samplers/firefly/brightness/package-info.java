/**
 * Brightness: which rows are bright, how they are resampled given θ, and what the bright ones say
 * of θ. All of it pure functions of blocks, brightness and keyed random streams.
 */
@NullMarked
package org.lampyris.samplers.firefly.brightness;

import org.jspecify.annotations.NullMarked;
