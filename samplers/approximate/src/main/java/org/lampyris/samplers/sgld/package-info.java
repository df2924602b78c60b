/** Langevin steps by gradients of minibatches. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.sgld;
