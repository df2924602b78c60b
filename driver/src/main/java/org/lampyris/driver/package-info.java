/** Lampyris from the command line and from a program: what a user calls. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver;
