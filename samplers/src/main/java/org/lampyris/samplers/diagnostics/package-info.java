/**
 * Convergence diagnostics of Markov chains: R̂, effective sample sizes and Monte-Carlo standard
 * errors, after Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.diagnostics;
