package org.lampyris.samplers.firefly;

/**
 * The rows as one chain sees them: they hold its brightness, resample it and evaluate the bright
 * ones. In memory, or spread over a cluster.
 */
public interface FireflyRows {

  /**
   * Answers a question; its z-step, if any, takes effect.
   *
   * @param question asked by the chain that these rows belong to
   */
  FireflyAnswer ask(FireflyQuestion question);
}
