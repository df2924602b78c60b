/**
 * Model formulas in R's notation: what they say, the columns that they make of a table's, and what
 * the table decides of those (levels, knots, orthogonal polynomials).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.formula;
