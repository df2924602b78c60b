/** Entry points of Lampyris, for the command line and for programs. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver;
