/** The ways to run, with all rows in memory: the reference for every distributed form. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.memory;
