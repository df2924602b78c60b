/** How many effective draws a run has come to, and at what cost. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.efficiency;
