/** Draws in the forms that other programs read. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.export;
