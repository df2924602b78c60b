/** The command tables, and the list of all commands of the experiments. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.tables;
