/** Passes over the blocks whose sums do not depend on how the blocks are spread. */
@NullMarked
package org.lampyris.executors.pass;

import org.jspecify.annotations.NullMarked;
