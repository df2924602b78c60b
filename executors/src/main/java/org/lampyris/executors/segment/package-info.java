/** Many iterations in one job: candidates drawn where the rows are, iterations made by chain. */
@NullMarked
package org.lampyris.executors.segment;

import org.jspecify.annotations.NullMarked;
