/** Declarations of algorithms, and the section {@code sampler} of the configuration. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.algorithm;
