/** Tests of the launcher script. */
@NullMarked
package org.lampyris.driver.launch;

import org.jspecify.annotations.NullMarked;
