/** What chains ask of the rows, and how rows answer: in memory, on executors, and from pools. */
@NullMarked
package org.lampyris.samplers.firefly.rows;

import org.jspecify.annotations.NullMarked;
