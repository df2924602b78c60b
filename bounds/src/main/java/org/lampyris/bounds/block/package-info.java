/** Packed rows and the sums over them whose result does not depend on how blocks are spread. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.block;
