package org.lampyris.driver.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.samplers.kernel.Barker;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;

class ThetaKernelsTest {
  private static final double[] MODE = {1, 2};
  private static final double[] COVARIANCE = {4, 1, 1, 0.25 + 0.25};

  private final Path folder;

  ThetaKernelsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private SamplerConfig config(String sampler) {
    try {
      Path file = Files.writeString(folder.resolve("job.yaml"), "sampler: {" + sampler + "}");
      return new ConfigReader().read(file, List.of(), "sample", List.of()).sampler();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ThetaKernel kernel(String sampler) {
    Preconditioner laplace = Preconditioner.choleskyOf(COVARIANCE, 2);
    return ThetaKernels.of(config(sampler), MODE, COVARIANCE, laplace);
  }

  @Test
  void everyKernelHasItsName() {
    assertInstanceOf(RandomWalk.class, kernel("kernel: random-walk"));
    assertInstanceOf(Mala.class, kernel("kernel: mala"));
    assertInstanceOf(Hmc.class, kernel("kernel: hmc"));
    assertInstanceOf(Slice.class, kernel("kernel: slice"));
    assertInstanceOf(Barker.class, kernel("kernel: barker"));
    assertInstanceOf(CrankNicolson.class, kernel("kernel: pcn"));
  }

  @Test
  void settingsReachTheKernel() {
    Hmc hmc = (Hmc) kernel("kernel: hmc, step_size: 0.125, hmc: {leapfrog_steps: 5}");
    assertEquals(0.125, hmc.stepSize());
    assertEquals(5, hmc.leapfrogSteps());
    Slice slice =
        (Slice) kernel("kernel: slice, slice: {directions: random, updates: 3, bracket_limit: 2}");
    assertEquals(Slice.Directions.RANDOM, slice.directions());
    assertEquals(3, slice.updates());
    assertEquals(2, slice.limit());
  }

  @Test
  void withoutAShapeTheStepSizeSuitsTheNarrowestCoordinate() {
    assertEquals(RandomWalk.optimalStepSize(2), kernel("kernel: random-walk").stepSize());
    assertEquals(
        Math.sqrt(0.5) * RandomWalk.optimalStepSize(2),
        kernel("kernel: random-walk, preconditioner: none").stepSize());
  }

  @Test
  void crankNicolsonRefusesWhatItIsNotDefinedFor() {
    assertEquals(
        "sampler.kernel: pcn proposes about the Laplace approximation, so sampler.preconditioner:"
            + " none does not go with it; leave it out.",
        assertThrows(UserException.class, () -> kernel("kernel: pcn, preconditioner: none"))
            .getMessage());
    assertEquals(
        "sampler.step_size is at most 1 for sampler.kernel: pcn, but is 1.5.",
        assertThrows(UserException.class, () -> kernel("kernel: pcn, step_size: 1.5"))
            .getMessage());
  }
}
