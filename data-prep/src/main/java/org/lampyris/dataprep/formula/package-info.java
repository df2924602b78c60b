/**
 * Model formulas in R's notation: their terms, their columns of a table, and the choices that
 * depend on it (levels, knots, orthogonal polynomials).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.formula;
