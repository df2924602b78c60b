/** Effects of groups of rows, with the covariance of a grouping factor's effects. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.effects;
