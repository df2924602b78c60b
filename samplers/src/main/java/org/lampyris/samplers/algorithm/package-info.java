/** What an algorithm declares of itself, and the section {@code sampler} of the configuration. */
@NullMarked
package org.lampyris.samplers.algorithm;

import org.jspecify.annotations.NullMarked;
