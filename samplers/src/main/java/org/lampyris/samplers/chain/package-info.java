/** What a chain leaves behind: its draws and the statistics of its steps. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.chain;
