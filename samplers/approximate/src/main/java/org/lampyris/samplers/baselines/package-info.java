/**
 * Didactic baselines, to be compared with and not to be used. Source: Bardenet, Doucet and Holmes
 * (2017), sections 4 and 6.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.baselines;
