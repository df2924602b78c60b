/** The state that rows carry through a run, as an RDD next to the resident blocks. */
@NullMarked
package org.lampyris.executors.rowstate;

import org.jspecify.annotations.NullMarked;
