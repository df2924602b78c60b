/**
 * Brightness: which rows are bright, how they are resampled given θ, and what the bright ones say
 * of θ. All of it pure functions of blocks, brightness and keyed random streams.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.firefly.brightness;
