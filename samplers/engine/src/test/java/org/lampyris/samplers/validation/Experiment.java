package org.lampyris.samplers.validation;

import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StartingPoint;

/** A model of which both θ and data can be drawn, small enough that a Laplace fit is far off. */
interface Experiment {

  /** Returns the name that a failure shows. */
  String name();

  /** Returns the likelihood. */
  Model model();

  /** Returns the lower bound, if there is one that collapses. */
  Optional<LowerBound> bound();

  /** Returns the lower bound that holds in a ball about a mode, if there is one. */
  Optional<LowerBound> local(LaplaceApproximation laplace, double radius);

  /** Returns the prior, which is proper. */
  ProductPrior prior();

  /** Draws θ from the prior. */
  default double[] draw(UniformRandomProvider rng) {
    return StartingPoint.prior(prior().factors(), rng);
  }

  /** Returns where bounds may be made tight without a look at the data. Not to be modified. */
  double[] reference();

  /** Draws the data given θ. */
  DataBlock simulate(double[] theta, UniformRandomProvider rng);
}
