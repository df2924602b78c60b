package org.lampyris.driver.config;

import org.lampyris.bounds.config.Section;

/**
 * The section {@code sampler.hmc}: Hamiltonian Monte Carlo.
 *
 * @param leapfrogSteps the mean number of leapfrog steps of a trajectory
 */
public record HmcConfig(int leapfrogSteps) {

  static HmcConfig read(Section sampler) {
    Section section = sampler.section("hmc", "leapfrog_steps");
    return new HmcConfig(section.whole("leapfrog_steps", 8, 1, 1_000_000));
  }
}
