/** Experiments: several algorithms on one posterior, and the table that compares them. */
@NullMarked
package org.lampyris.experiments.reproduce;

import org.jspecify.annotations.NullMarked;
