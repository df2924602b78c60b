/**
 * What rows carry through a run, for each chain: state that is evolved where the rows are, by pure
 * functions. Brightness is the first instance; labels, effects of groups and volatilities are
 * others.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.rowstate;
