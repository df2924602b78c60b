/** Figures by name, and sentences that hold them against what they should be. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.claims;
