/** Lampyris called from a program. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver;
