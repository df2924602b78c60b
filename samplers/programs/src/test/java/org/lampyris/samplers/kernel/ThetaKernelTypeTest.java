package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.testdata.MemoryRun.mapping;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.random.Streams;

class ThetaKernelTypeTest {
  private static final double[] MODE = {1, 2};
  private static final double[] COVARIANCE = {4, 1, 1, 0.25 + 0.25};

  private final Registry<ThetaKernelType> types = Registry.of(ThetaKernelType.class);

  private ThetaKernel kernel(
      String name, boolean shaped, @Nullable Double stepSize, Map<String, ?> sections) {
    return kernel("flat", name, shaped, stepSize, sections);
  }

  private ThetaKernel kernel(
      String priorOfSecond,
      String name,
      boolean shaped,
      @Nullable Double stepSize,
      Map<String, ?> sections) {
    OwnSettings own =
        OwnSettings.read(
            Section.root(mapping(sections), "hmc", "slice"),
            types.sections(),
            new OwnSection.Defaults(0, false));
    LaplaceApproximation laplace = new LaplaceApproximation(MODE, COVARIANCE);
    ProductPrior prior = ProductPrior.parse(List.of("flat", priorOfSecond));
    return types
        .named(name)
        .create(new ThetaKernelType.Setting(laplace, prior, shaped, stepSize, own));
  }

  private ThetaKernel kernel(String name) {
    return kernel(name, true, null, Map.of());
  }

  @Test
  void everyKernelHasItsName() {
    assertEquals(
        List.of("random-walk", "mala", "hmc", "slice", "barker", "pcn", "stiefel", "pcnl"),
        types.names());
    assertInstanceOf(RandomWalk.class, kernel("random-walk"));
    assertInstanceOf(Mala.class, kernel("mala"));
    assertInstanceOf(Hmc.class, kernel("hmc"));
    assertInstanceOf(Slice.class, kernel("slice"));
    assertInstanceOf(Barker.class, kernel("barker"));
    assertInstanceOf(CrankNicolson.class, kernel("pcn"));
  }

  @Test
  void settingsReachTheKernel() {
    Hmc hmc = (Hmc) kernel("hmc", true, 0.125, Map.of("hmc", mapping(Map.of("leapfrog_steps", 5))));
    assertEquals(0.125, hmc.stepSize());
    assertEquals(5, hmc.leapfrogSteps());
    Map<String, ?> settings = Map.of("directions", "random", "updates", 3, "bracket_limit", 2);
    Slice slice = (Slice) kernel("slice", true, null, Map.of("slice", mapping(settings)));
    assertEquals(Slice.Directions.RANDOM, slice.directions());
    assertEquals(3, slice.updates());
    assertEquals(2, slice.limit());
  }

  /** The time of a trajectory is known in coordinates in which the posterior has the scale 1. */
  @Test
  void trajectoriesTakeTheirTimeWhereTheLengthOfTheirStepsIsKnown() {
    assertEquals(Hmc.BY_TIME, ((Hmc) kernel("hmc")).leapfrogSteps());
    assertEquals(8, ((Hmc) kernel("hmc", false, null, Map.of())).leapfrogSteps());
  }

  @Test
  void trajectoriesTurnAboutAModeWhereSomethingShapesThem() {
    Hmc shaped = (Hmc) kernel("hmc");
    assertNull(shaped.mode());
    Hmc about = shaped.withStepSize(3).about(MODE);
    assertArrayEquals(MODE, about.mode());
    assertEquals(Math.PI / 2, about.stepSize());
    assertEquals(Math.PI / 2, about.withStepSize(3).stepSize());
    assertNull(((Hmc) kernel("hmc", false, null, Map.of())).about(MODE).mode());
    ThetaKernel walk = kernel("random-walk");
    assertSame(walk, walk.about(MODE));
  }

  @Test
  void withoutAShapeTheStepSizeSuitsTheNarrowestCoordinate() {
    assertEquals(RandomWalk.optimalStepSize(2), kernel("random-walk").stepSize());
    assertEquals(
        Math.sqrt(0.5) * RandomWalk.optimalStepSize(2),
        kernel("random-walk", false, null, Map.of()).stepSize());
  }

  @Test
  void crankNicolsonRefusesWhatItIsNotDefinedFor() {
    assertEquals(
        "sampler.kernel: pcn proposes from the Laplace approximation, so it does not allow"
            + " sampler.preconditioner: none. Remove the preconditioner.",
        assertThrows(UserException.class, () -> kernel("pcn", false, null, Map.of())).getMessage());
    assertEquals(
        "sampler.step_size is at most 1 for sampler.kernel: pcn, but is 1.5.",
        assertThrows(UserException.class, () -> kernel("pcn", true, 1.5, Map.of())).getMessage());
  }

  @Test
  void whatATypeDeclaresIsSo() {
    for (ThetaKernelType type : types.all()) {
      if (type instanceof Stiefel.Type) {
        continue; // A matrix has more than two elements: StiefelTest.
      }
      ThetaKernel kernel = kernel(type.name());
      assertEquals(type.isProposal(), kernel instanceof ProposalKernel, type.name());
      assertTrue(!type.isProposal() || !type.usesGradient(), type.name());
      boolean[] asked = new boolean[1];
      LogDensity normal =
          new LogDensity() {
            @Override
            public int dimension() {
              return MODE.length;
            }

            @Override
            public void values(double[][] thetas, double[] out) {
              for (int i = 0; i < thetas.length; i++) {
                out[i] = -0.5 * (thetas[i][0] * thetas[i][0] + thetas[i][1] * thetas[i][1]);
              }
            }

            @Override
            public double valueAndGradient(double[] theta, double[] gradient) {
              asked[0] = true;
              gradient[0] = -theta[0];
              gradient[1] = -theta[1];
              return value(theta);
            }
          };
      kernel.step(
          normal,
          new Point(MODE, normal.value(MODE)),
          new Streams(1).stream(Streams.Purpose.THETA, 1, 1, 0));
      assertEquals(type.usesGradient(), asked[0], type.name());
    }
  }
}
