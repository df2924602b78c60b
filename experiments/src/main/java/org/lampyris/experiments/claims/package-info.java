/** Figures by name, and sentences that hold them against what they should be. */
@NullMarked
package org.lampyris.experiments.claims;

import org.jspecify.annotations.NullMarked;
