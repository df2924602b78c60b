/** What chains ask of the rows, and how rows answer: in memory, on executors, and from pools. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.firefly.rows;
