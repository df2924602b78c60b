/** Moves of a node that rows depend on through one linear predictor, by bounds of what they say. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.bounded;
