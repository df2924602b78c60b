/** Experiments: several algorithms on one posterior, and the table that compares them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.reproduce;
