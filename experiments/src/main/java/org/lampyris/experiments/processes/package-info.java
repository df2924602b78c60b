/** What whole commands take, beside what Spark takes to read and write the same table. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.processes;
