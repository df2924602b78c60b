/** The command line. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.cli;
