package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.scales.ScaleMoves.Shared;

/** Two smooths and two coefficients, all of which meet: the rest follows the first smooth. */
class FollowersTest {
  private static final int D = 8;

  private final SplittableRandom random = new SplittableRandom(8);
  private final UnivariatePrior sd = new UnivariatePrior.Normal(0, 1);
  private final List<ScaleGroup> groups =
      List.of(
          new LevelScales("sds_a", sd, new int[] {2, 3, 4}),
          new LevelScales("sds_b", sd, new int[] {5, 6, 7}));
  private final ScaledPrior scales =
      new ScaledPrior(D, groups, new double[] {0.2, -0.4}, new double[] {0.5, 0.5});
  private final CollapsedQuadratic quadratic = quadratic();
  private final NormalGivenScales normal = normal(quadratic);

  private CollapsedQuadratic quadratic() {
    double[] packed = new double[CollapsedQuadratic.packedLength(D)];
    int k = 0;
    for (int i = 0; i < D; i++) {
      for (int j = 0; j <= i; j++, k++) {
        packed[k] = i == j ? -2 - random.nextDouble() : random.nextDouble(-0.4, 0.4);
      }
    }
    for (; k < packed.length; k++) {
      packed[k] = random.nextDouble(-1, 1);
    }
    return new CollapsedQuadratic(random.doubles(D, -0.5, 0.5).toArray(), packed);
  }

  private NormalGivenScales normal(CollapsedQuadratic of) {
    double[] identity = new double[D * D];
    for (int j = 0; j < D; j++) {
      identity[j * D + j] = 1;
    }
    return NormalGivenScales.of(
        scales,
        new LaplaceApproximation(new double[D], identity, new ArrowMatrix(identity, D)),
        of);
  }

  /** Along the path π̂ times the volume is what the slice draws from; the path leads back. */
  @Test
  void theSliceIsFromTheSurrogateAlongThePath() {
    ScaleMoves moves = new ScaleMoves(scales, normal);
    Shared first = new Shared(0, 0);
    double[] theta = random.doubles(D + 2, -1, 1).toArray();
    ScalePath path = moves.path(theta, first);
    double constant = Double.NaN;
    for (double x : new double[] {theta[D], -2, 0.1, 1.7}) {
      double[] end = moves.end(theta, first, path, x);
      double[] known = Arrays.copyOf(end, D);
      double surrogate = quadratic.value(known) + scales.value(end) + path.logVolume(x);
      double difference = path.logSurrogate(x) - surrogate;
      constant = Double.isNaN(constant) ? difference : constant;
      assertEquals(constant, difference, 1e-9, "φ = " + x);
      double[] back = moves.end(end, first, moves.path(end, first), theta[D]);
      for (int j = 0; j < theta.length; j++) {
        assertEquals(theta[j], back[j], 1e-10, "element " + j);
      }
    }
  }

  /** Given b, the mean of the others is where they follow to: ∇q̄ in o does not change with b. */
  @Test
  void othersFollowAsTheirMeanDoes() {
    Followers followers = Objects.requireNonNull(normal.followers(0));
    assertEquals("[0, 1, 5, 6, 7]", Arrays.toString(followers.elements()));
    double[] from = random.doubles(D, -1, 1).toArray();
    double[] to = from.clone();
    double[] delta = {0.3, -0.8, 0.5};
    for (int i = 0; i < 3; i++) {
      to[2 + i] += delta[i];
    }
    followers.move(delta, to);
    double[] k = scales.precisions(scales.centre());
    double[] before = normal.gradient(from, followers.elements());
    double[] after = normal.gradient(to, followers.elements());
    for (int i = 0; i < before.length; i++) {
      int j = followers.elements()[i];
      assertEquals(before[i] - k[j] * from[j], after[i] - k[j] * to[j], 1e-12);
    }
  }

  /** By its parts: all priors' curvature comes off the precision, and all slopes are 0 together. */
  @Test
  void likelihoodIsWhatPriorsLeave() {
    double[] mode = random.doubles(D, -1, 1).toArray();
    List<UnivariatePrior> priors =
        new ArrayList<>(Collections.nCopies(D, new UnivariatePrior.Flat()));
    priors.set(1, new UnivariatePrior.Normal(0.5, 2));
    double[] precision = scales.precision(scales.wide());
    precision[D + 1] += 0.25;
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        precision[i * D + j] += i == j ? 3 : 0.1;
      }
    }
    double[] identity = new double[D * D]; // in place of the covariance, which is not looked at
    IntStream.range(0, D).forEach(j -> identity[j * D + j] = 1);
    CollapsedQuadratic likelihood =
        new ScaledCoefficients(new EffectColumns(D, List.of(), new long[0][], List.of()), scales)
            .likelihood(
                new LaplaceApproximation(mode, identity, new ArrowMatrix(precision, D)),
                ProductPrior.of(priors));
    double[] slopes = new double[D];
    likelihood.form().addGradient(mode, slopes);
    double[] k = scales.precisions(scales.centre());
    for (int i = 0; i < D; i++) {
      double ofPrior = i == 1 ? (0.5 - mode[1]) / 4 : 0;
      assertEquals(0, slopes[i] + ofPrior - k[i] * mode[i], 1e-12);
      assertEquals(3, MarginalMove.curvature(likelihood.packed(), i, i), 1e-12);
    }
    assertEquals(0.1, MarginalMove.curvature(likelihood.packed(), 4, 2), 1e-12);
  }
}
