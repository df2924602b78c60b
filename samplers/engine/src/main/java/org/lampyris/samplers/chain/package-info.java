/**
 * A chain from its start to its trace, in segments or step by step, with where it is as a value.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.chain;
