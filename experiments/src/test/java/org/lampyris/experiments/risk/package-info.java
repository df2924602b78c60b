/** Tests of the experiments. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.risk;
