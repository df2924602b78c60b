/** The ways to run, with all rows in memory: the reference for every distributed form. */
@NullMarked
package org.lampyris.samplers.memory;

import org.jspecify.annotations.NullMarked;
