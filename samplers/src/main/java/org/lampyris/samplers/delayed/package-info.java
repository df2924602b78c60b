/** Delayed acceptance: exact, with an early end for proposals that some rows reject. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.delayed;
