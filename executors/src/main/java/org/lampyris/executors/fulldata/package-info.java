/** Passes over all rows for full-data samplers. */
@NullMarked
package org.lampyris.executors.fulldata;

import org.jspecify.annotations.NullMarked;
