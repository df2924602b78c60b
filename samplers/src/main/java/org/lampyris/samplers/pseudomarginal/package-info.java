/**
 * Firefly by the pseudo-marginal way: exact, with brightness drawn anew for every proposal. Source:
 * Bardenet, Doucet and Holmes (2017), section 4.3.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.pseudomarginal;
