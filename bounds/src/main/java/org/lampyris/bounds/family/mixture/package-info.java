/** The two-component normal mixture: its likelihood, its lower bound. */
@NullMarked
package org.lampyris.bounds.family.mixture;

import org.jspecify.annotations.NullMarked;
