/** Mixtures as programs, and the programs of Chen, Mansinghka and Ghahramani (2014). */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.mixture;
