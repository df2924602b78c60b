/** The jobs behind the commands. */
@NullMarked
package org.lampyris.driver.steps;

import org.jspecify.annotations.NullMarked;
