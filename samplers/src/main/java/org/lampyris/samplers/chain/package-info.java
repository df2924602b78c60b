/** What a chain leaves behind: its draws and the statistics of its steps. */
@NullMarked
package org.lampyris.samplers.chain;

import org.jspecify.annotations.NullMarked;
