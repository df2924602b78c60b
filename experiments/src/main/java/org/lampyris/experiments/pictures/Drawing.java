package org.lampyris.experiments.pictures;

/** Kind of picture of an experiment's draws, as the experiments' files name it. */
public enum Drawing {
  /** Log posterior and evaluations of an iteration: mean of the chains, band of one sd. */
  BURN_IN,
  /** Contours of the posterior of two parameters by quadrature, and draws over them. */
  CONTOURS,
  /** Histograms of two parameters, beside quadrature and the normal approximation. */
  MARGINALS,
  /** Autocorrelation of the last parameter, beside the first row's. */
  AUTOCORRELATION,
  /** Histogram of the evaluations of an iteration. */
  EVALUATIONS,
  /** Histogram of one parameter, beside its density by quadrature. */
  DENSITY,
  /** Running mean of the first parameter by a chain's iterations and by its evaluations. */
  RUNNING_MEAN
}
