/** The configuration file and the command line's overrides, checked and with defaults filled in. */
@NullMarked
package org.lampyris.driver.config;

import org.jspecify.annotations.NullMarked;
