/** How many effective draws a run has come to, and at what cost. */
@NullMarked
package org.lampyris.experiments.efficiency;

import org.jspecify.annotations.NullMarked;
