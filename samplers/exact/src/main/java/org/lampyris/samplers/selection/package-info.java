/**
 * Variable selection by reversible jump: the included features are sampled together with their
 * coefficients. Source: Korattikara, Chen and Welling (2014), section 6.3, after Green (1995) and
 * Chen, Wang and McKeown (2011).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.selection;
