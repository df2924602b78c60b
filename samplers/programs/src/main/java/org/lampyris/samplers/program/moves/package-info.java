/** Programs on their rows, and the moves that are made there. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.moves;
