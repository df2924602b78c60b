/** Series of latent values, each a row, drawn whole by particles. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.series;
