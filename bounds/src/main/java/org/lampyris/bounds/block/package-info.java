/** Packed rows and the sums over them whose result does not depend on how blocks are spread. */
@NullMarked
package org.lampyris.bounds.block;

import org.jspecify.annotations.NullMarked;
