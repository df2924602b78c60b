/** Progress of a command: a bar on a terminal, lines otherwise. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.progress;
