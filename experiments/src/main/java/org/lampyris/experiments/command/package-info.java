/** What the commands of the experiments have in common. */
@NullMarked
package org.lampyris.experiments.command;

import org.jspecify.annotations.NullMarked;
