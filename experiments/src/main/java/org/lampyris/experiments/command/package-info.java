/** What the commands of the experiments have in common. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.command;
