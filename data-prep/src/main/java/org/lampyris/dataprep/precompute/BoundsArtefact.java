package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.run.CollapsedBounds;

/**
 * Artefact that sampling needs from a whole table: the mode θ̂, the Laplace covariance Σ̂ and the
 * collapsed lower bounds, with their data and model.
 *
 * <p>Stored as a folder with {@code bounds.json} and a Parquet table {@code matrices}; every number
 * is read back bit for bit.
 *
 * @param earlier the approximation of the posterior of earlier rows that the bounds are about,
 *     where rows came after the mode was sought; null for θ̂
 * @param scales where the scales of effects lie that are coefficients here; null if there are none
 */
public record BoundsArtefact(
    String libraryVersion,
    ModelFacts model,
    TableFacts table,
    MapFit fit,
    double radius,
    @Nullable CollapsePass bounds,
    @Nullable LaplaceApproximation earlier,
    @Nullable Scales scales)
    implements CollapsedBounds {
  /** The version of the stored form that this library writes. */
  public static final int VERSION = 12;

  /** The oldest version that it reads, but for coefficients with scales. */
  static final int OLDEST = 5;

  /** The oldest version of local bounds as they are now, but for families that are unchanged. */
  static final int LOCAL = 12;

  /** Families whose bounds have not changed since {@link #OLDEST}. */
  static final Set<String> UNCHANGED =
      Set.of(
          "beta",
          "binomial",
          "gamma",
          "ica",
          "logistic",
          "mixture",
          "ordinal",
          "poisson",
          "probit",
          "softmax");

  /** The name of the file that a folder with an artefact has. */
  public static final String FILE = "bounds.json";

  /**
   * Where scales lie a posteriori, about.
   *
   * @param phi their coordinates φ
   * @param spread the standard deviations of these
   * @param wide the φ by which the approximation is as wide as they are uncertain: {@link
   *     ScaledPrior#wide}
   */
  public record Scales(List<Double> phi, List<Double> spread, List<Double> wide) {
    /** Copies the lists, which a damaged file may lack. */
    public Scales {
      phi = List.copyOf(phi);
      spread = List.copyOf(spread);
      wide = List.copyOf(Objects.requireNonNull(wide, "scales of an earlier version"));
    }

    /** Makes it of arrays, which are copied. */
    static Scales of(EffectModel effects, double[] phi, double[] spread) {
      double[] wide = new ScaledPrior(effects.coefficients(), effects.groups(), phi, spread).wide();
      return new Scales(listed(phi), listed(spread), listed(wide));
    }

    private static List<Double> listed(double[] numbers) {
      return Arrays.stream(numbers).boxed().toList();
    }

    /** Returns φ as an array. */
    public double[] centre() {
      return phi.stream().mapToDouble(x -> x).toArray();
    }

    /** Returns the wider φ as an array. */
    double[] widened() {
      return wide.stream().mapToDouble(x -> x).toArray();
    }

    /** Returns the standard deviations as an array. */
    public double[] sds() {
      return spread.stream().mapToDouble(x -> x).toArray();
    }
  }

  @Override
  public LaplaceApproximation about() {
    return earlier == null ? laplace() : earlier;
  }

  /** Returns the Laplace approximation of the posterior. */
  public LaplaceApproximation laplace() {
    return fit.laplace();
  }

  /** Returns θ̂; not to be modified. */
  public double[] theta() {
    return fit.theta();
  }

  /** Returns whether the family has a lower bound. */
  public boolean hasBounds() {
    return bounds != null;
  }

  @Override
  public CollapsedQuadratic collapsed() {
    return requireBounds().lower();
  }

  @Override
  public boolean isLocal() {
    return requireBounds().isLocal();
  }

  private CollapsePass requireBounds() {
    if (bounds == null) {
      throw new IllegalStateException("the family " + model.family() + " has no lower bound");
    }
    return bounds;
  }

  /** Returns how many passes over the data it took in all: the search's, and one to collapse. */
  public int passes() {
    return fit.passes() + (bounds == null ? 0 : 1);
  }

  /**
   * Refuses an artefact that belongs to other data or another model.
   *
   * @throws UserException (data) if it does; the message names both sides and the remedy
   */
  public void requireMatches(
      String fingerprint,
      FamilySpec expectedFamily,
      List<UnivariatePrior> expectedPriors,
      List<String> columns) {
    requireSame("the columns", table.columns(), columns);
    requireSame("the table with fingerprint", table.fingerprint(), fingerprint);
    requireSame("the family", model.family(), expectedFamily);
    List<String> expected = ModelFacts.texts(expectedPriors);
    for (int j = 0; j < expected.size(); j++) {
      String name = model.coefficients().get(j);
      requireSame("a prior of \"" + name + "\" of", model.priors().get(j), expected.get(j));
    }
  }

  private static void requireSame(String what, Object computed, Object wanted) {
    if (!computed.equals(wanted)) {
      throw UserException.data(
          "the precomputed bounds are for %s %s, but this run has %s. Run precompute again."
              .formatted(what, computed, wanted));
    }
  }

  /**
   * Reads an artefact.
   *
   * @throws UserException (data) if there is none, or one that this version cannot read
   */
  public static BoundsArtefact read(SparkSession spark, String folder) {
    return new ArtefactFolder(spark, folder).read();
  }

  /**
   * Facts about the model.
   *
   * @param priors the prior of each coefficient, with every digit of its parameters
   */
  record ModelFacts(FamilySpec family, List<String> coefficients, List<String> priors) {
    /** Copies the lists. */
    ModelFacts {
      coefficients = List.copyOf(coefficients);
      priors = List.copyOf(priors);
    }

    static ModelFacts of(ModelOfTable model) {
      return new ModelFacts(model.spec(), model.coefficients(), texts(model.priors()));
    }

    static List<String> texts(List<UnivariatePrior> priors) {
      return priors.stream().map(UnivariatePrior::toString).toList();
    }
  }
}
