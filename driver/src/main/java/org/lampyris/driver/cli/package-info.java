/** Commands, their options and sessions, and how they end. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.cli;
