/** The program. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver;
