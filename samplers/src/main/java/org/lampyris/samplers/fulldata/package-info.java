/** The posterior evaluated on every row: the yardstick of every other algorithm. */
@NullMarked
package org.lampyris.samplers.fulldata;

import org.jspecify.annotations.NullMarked;
