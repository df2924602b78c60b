/** The state that rows carry through a run, as an RDD next to the resident blocks. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.rowstate;
