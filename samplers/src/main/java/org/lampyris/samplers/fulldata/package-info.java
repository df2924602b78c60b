/** The posterior evaluated on every row: the yardstick of every other algorithm. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.fulldata;
