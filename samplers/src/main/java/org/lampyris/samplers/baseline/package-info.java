/**
 * Didactic baselines: decisions by one batch of a fixed size, to be compared with, not to be used.
 * Source: Bardenet, Doucet and Holmes (2017), section 6.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.baseline;
