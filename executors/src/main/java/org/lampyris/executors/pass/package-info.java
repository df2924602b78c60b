/** Passes over the blocks whose sums do not depend on how the blocks are spread. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.pass;
