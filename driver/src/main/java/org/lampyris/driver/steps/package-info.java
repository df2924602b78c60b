/** The jobs behind the commands. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.steps;
