/** The command line. */
@NullMarked
package org.lampyris.driver.cli;

import org.jspecify.annotations.NullMarked;
