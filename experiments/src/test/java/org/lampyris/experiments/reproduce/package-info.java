/** Tests of the experiments. */
@NullMarked
package org.lampyris.experiments.reproduce;

import org.jspecify.annotations.NullMarked;
