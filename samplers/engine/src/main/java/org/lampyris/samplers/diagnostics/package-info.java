/** Diagnostics of draws: convergence, effective sizes, differences, leave-one-out weights. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.diagnostics;
