/** Chains from start to trace, in segments or step by step, with their state as a value. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.chain;
