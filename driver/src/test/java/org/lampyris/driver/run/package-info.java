/** The real command line with the real steps, from a file to an output folder. */
@NullMarked
package org.lampyris.driver.run;

import org.jspecify.annotations.NullMarked;
