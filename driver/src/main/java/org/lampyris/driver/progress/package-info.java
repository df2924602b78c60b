/** How a command tells how far it is: a bar on a terminal, lines otherwise. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.progress;
