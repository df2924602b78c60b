/** Many iterations in one job: candidates drawn where the rows are, iterations made by chain. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.segment;
