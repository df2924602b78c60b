/** What rows do for random effects: sums over groups, and the effects of the groups beside them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.effects.rows;
