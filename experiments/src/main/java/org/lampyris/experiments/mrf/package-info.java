/** Gibbs sampling of a dense Markov random field whose updates are decided by a few factors. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.mrf;
