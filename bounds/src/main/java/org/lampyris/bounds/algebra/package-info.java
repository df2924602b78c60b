/**
 * Algebra in which a likelihood is written once, and its derivatives, their enclosures and its
 * local bounds follow. Sources: Moore (1966), "Interval analysis"; Griewank and Walther (2008),
 * "Evaluating derivatives", chapter 13; NIST Digital Library of Mathematical Functions (DLMF).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.algebra;
