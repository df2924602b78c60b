/** How a command tells how far it is: a bar on a terminal, lines otherwise. */
@NullMarked
package org.lampyris.driver.progress;

import org.jspecify.annotations.NullMarked;
