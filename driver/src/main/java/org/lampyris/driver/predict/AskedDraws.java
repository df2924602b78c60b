package org.lampyris.driver.predict;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;

/**
 * Draws of θ that rows are asked about.
 *
 * @param reported S draws, chain after chain, as they are reported
 * @param shifts what effects of groups add to η, by the same draws; null where there are none
 * @param stream the number of the streams of responses
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AskedDraws(
    double[][] reported, int chains, PredictiveCheck.@Nullable Shifts shifts, int stream) {

  /** Returns equally many draws of each chain of a run, with the effects that belong to them. */
  static AskedDraws ofRun(RowReader reader, RunOutput.Fitted fitted, RowSample sample, int wanted)
      throws IOException {
    KnownShifts shifts = reader.shifts(fitted, wanted, sample.blocks());
    if (shifts != null) {
      return new AskedDraws(shifts.thetas(), shifts.chains(), shifts::of, 3);
    }
    RunOutput run = fitted.run();
    long all = run.chains() * run.drawsPerChain();
    Draws draws = run.draws((int) Math.max(1, all / wanted));
    int each = Math.min(draws.perChain(), Math.max(1, wanted / draws.chains()));
    double[][] thinned =
        PosteriorPredictor.thinned(draws, fitted.model().coefficients(), each * draws.chains());
    return new AskedDraws(thinned, draws.chains(), null, 3);
  }

  /** Returns draws from the prior, as one chain. */
  static AskedDraws of(RunOutput.Fitted fitted, PriorSample prior) {
    double[][] thetas =
        PosteriorPredictor.thinned(
            prior.draws(), fitted.model().coefficients(), prior.draws().perChain());
    return new AskedDraws(thetas, 1, fitted.hasEffects() ? prior::shift : null, 4);
  }

  /** Returns the number of draws. */
  int count() {
    return reported.length;
  }
}
