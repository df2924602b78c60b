/** Random numbers: streams by their keys, and permutations that are computed. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.random;
