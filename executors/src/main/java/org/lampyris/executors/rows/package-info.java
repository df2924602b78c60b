/** The resident rows of an algorithm, and the ways to run on them. */
@NullMarked
package org.lampyris.executors.rows;

import org.jspecify.annotations.NullMarked;
