/** The configuration file and the command line's overrides, checked and with defaults filled in. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.config;
