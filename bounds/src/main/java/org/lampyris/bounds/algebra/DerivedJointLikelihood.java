package org.lampyris.bounds.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Alike;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.ThirdDerivatives;

/**
 * Log-likelihood of a row, log L(η, τ_1 … τ_m; y), that is written once as a {@link Term} in a
 * linear predictor and further parameters: see {@link DerivedLikelihood}. The local bounds {@link
 * org.lampyris.bounds.bound.LocalDispersedBound} and {@link
 * org.lampyris.bounds.bound.LocalTwoPredictorBound} follow from the third derivatives' bounds on a
 * box. Cost: a product of Taylor polynomials of order 3 has 35 terms for m = 1, and 84 for m = 2.
 */
public abstract class DerivedJointLikelihood implements JointLikelihood, Alike {
  private static final Ways[] WAYS = {new Ways(2), new Ways(3)};

  private final int parameters;

  /** Takes m, 1 or 2. */
  protected DerivedJointLikelihood(int parameters) {
    if (parameters < 1 || parameters > WAYS.length) {
      throw new IllegalArgumentException(parameters + " parameters");
    }
    this.parameters = parameters;
  }

  /** Monomials in K variables, and the places of second and third derivatives among them. */
  private static final class Ways {
    final Monomials value;
    final Monomials slope;
    final Monomials point;
    final Monomials box;
    final int[] second;
    final double[] factorial;
    final int[] third;

    Ways(int k) {
      value = new Monomials(k, 0);
      slope = new Monomials(k, 1);
      point = new Monomials(k, 2);
      box = new Monomials(k, 3);
      second = last(point, k + 1);
      factorial = Arrays.stream(second).mapToDouble(point::factorial).toArray();
      third = last(box, point.count);
    }

    private static int[] last(Monomials of, int from) {
      int[] places = new int[of.count - from];
      Arrays.setAll(places, i -> from + i);
      return places;
    }
  }

  /**
   * Returns log L(η, τ; y), natural log. The formula may depend on y by {@code if} and {@code for}.
   *
   * @param tau of length m. Not modified.
   */
  protected abstract Term logLikelihood(Term eta, Term[] tau, double y);

  /** Returns log L of η first, then τ. */
  private Term of(Term[] all, double y) {
    return logLikelihood(all[0], Arrays.copyOfRange(all, 1, all.length), y);
  }

  private Ways ways() {
    return WAYS[parameters - 1];
  }

  @Override
  public double expense() {
    return 40;
  }

  @Override
  public final int parameters() {
    return parameters;
  }

  /** Returns the same likelihood at a given τ; it is called concave in η if the caller knows. */
  public final DerivedLikelihood given(double[] tau, boolean isConcave) {
    return new AtGiven(this, tau.clone(), isConcave);
  }

  /**
   * Returns the same likelihood with one of two parameters given.
   *
   * @param place of the parameter, from 0
   */
  public final DerivedDispersedLikelihood given(int place, double value) {
    return new OneGiven(this, place, value);
  }

  @Override
  public final At at(double[] tau) {
    return new Given(this, tau.clone());
  }

  /** {@inheritDoc} Override it if log L is a sum with terms of fewer variables. */
  @Override
  public void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
    double[] from = new double[center.length];
    double[] to = new double[center.length];
    for (int v = 0; v < center.length; v++) {
      from[v] = center[v] - reach[v];
      to[v] = center[v] + reach[v];
    }
    new Bisection(ways().box, ways().third, at -> (Enclosure) of(at, y)).largest(from, to, out);
  }

  @Override
  public final Optional<Alike> alike() {
    return Optional.of(this);
  }

  private static final class AtGiven extends DerivedLikelihood {
    private final DerivedJointLikelihood likelihood;
    private final double[] tau;
    private final boolean concave;

    AtGiven(DerivedJointLikelihood likelihood, double[] tau, boolean concave) {
      this.likelihood = likelihood;
      this.tau = tau;
      this.concave = concave;
    }

    @Override
    protected Term logLikelihood(Term eta, double y) {
      Term[] given = new Term[tau.length];
      Arrays.setAll(given, j -> constant(eta, tau[j]));
      return likelihood.logLikelihood(eta, given, y);
    }

    @Override
    public boolean isConcave() {
      return concave;
    }

    @Override
    public double location(double y) {
      return likelihood.location(y);
    }

    @Override
    public double response(double y) {
      return likelihood.response(y);
    }

    @Override
    public double unit(double eta, double[] none) {
      return likelihood.unit(eta, tau);
    }
  }

  private static Term constant(Term like, double value) {
    return like.times(0).plus(value);
  }

  private static final class OneGiven extends DerivedDispersedLikelihood {
    private final DerivedJointLikelihood likelihood;
    private final int place;
    private final double value;

    OneGiven(DerivedJointLikelihood likelihood, int place, double value) {
      this.likelihood = likelihood;
      this.place = place;
      this.value = value;
    }

    @Override
    protected Term logLikelihood(Term eta, Term tau, double y) {
      List<Term> all = new ArrayList<>(List.of(tau));
      all.add(place, constant(tau, value));
      return likelihood.logLikelihood(eta, all.toArray(new Term[0]), y);
    }

    @Override
    public double location(double y) {
      return likelihood.location(y);
    }

    @Override
    public double response(double y) {
      return likelihood.response(y);
    }

    @Override
    public double unit(double eta, double[] tau) {
      return likelihood.unit(
          eta, place == 0 ? new double[] {value, tau[0]} : new double[] {tau[0], value});
    }

    @Override
    public Optional<ThirdDerivatives> byInverse() {
      return place > 0 ? Optional.empty() : likelihood.byInverse().map(this::atGiven);
    }

    private ThirdDerivatives atGiven(ThirdDerivatives both) {
      return (center, reach, y, out) -> {
        double[] all = new double[JointLikelihood.thirds(3)];
        double[] about = {center[0], value, center[1]};
        both.thirdDerivatives(about, new double[] {reach[0], 0, reach[1]}, y, all);
        int[] places = JointLikelihood.withoutFirst();
        Arrays.setAll(out, k -> all[places[k]]);
      };
    }
  }

  private static final class Given implements At, java.io.Serializable {
    private static final long serialVersionUID = 1;

    private final DerivedJointLikelihood likelihood;
    private final double[] tau;

    /** τ as numbers, and as Taylor polynomials of order 1 and 2. */
    private final transient @Nullable Term[][] parameters = new Term[3][];

    Given(DerivedJointLikelihood likelihood, double[] tau) {
      this.likelihood = likelihood;
      this.tau = tau;
    }

    private Object readResolve() {
      return new Given(likelihood, tau);
    }

    private Term variable(int order, int v, double value) {
      Ways ways = likelihood.ways();
      return order == 0
          ? new Scalar(value)
          : Jet.variable(order == 1 ? ways.slope : ways.point, v, value);
    }

    private Term of(double eta, double y, int order) {
      Term[] once = parameters[order];
      if (once == null) {
        once = new Term[tau.length];
        Arrays.setAll(once, j -> new Once(variable(order, 1 + j, tau[j])));
        parameters[order] = once;
      }
      return likelihood.logLikelihood(variable(order, 0, eta), once, y).plain();
    }

    @Override
    public double logLikelihood(double eta, double y) {
      return ((Scalar) of(eta, y, 0)).value;
    }

    @Override
    public double largestTerm(double eta, double y) {
      Monomials alone = likelihood.ways().value;
      Term[] all = new Term[1 + tau.length];
      Arrays.setAll(
          all,
          v -> {
            double value = v == 0 ? eta : tau[v - 1];
            return Enclosure.variable(alone, v, value, value);
          });
      return DerivedLikelihood.largestTerm((Enclosure) likelihood.of(all, y));
    }

    @Override
    public double gradient(double eta, double y, double[] out) {
      Jet at = (Jet) of(eta, y, 1);
      for (int v = 0; v <= tau.length; v++) {
        out[v] = at.coefficient(1 + v);
      }
      return at.coefficient(0);
    }

    @Override
    public double derivatives(double eta, double y, double[] out) {
      Ways ways = likelihood.ways();
      Jet at = (Jet) of(eta, y, 2);
      int k = 1 + tau.length;
      for (int v = 0; v < k; v++) {
        out[v] = at.coefficient(1 + v);
      }
      for (int i = 0; i < ways.second.length; i++) {
        out[k + i] = ways.factorial[i] * at.coefficient(ways.second[i]);
      }
      return at.coefficient(0);
    }
  }
}
