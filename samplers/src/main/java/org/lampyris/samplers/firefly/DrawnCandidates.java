package org.lampyris.samplers.firefly;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;

/**
 * Candidates that are drawn as they are needed from the blocks of one place: by windows of
 * iterations, of which the last one is kept, and without any list where a window is one iteration.
 *
 * <p>Not safe for use by several threads.
 */
public final class DrawnCandidates implements CandidateSource {
  private final FireflyPass pass;
  private final List<BoundBlock> blocks;
  private @Nullable CandidateWindow last;

  /**
   * Takes the blocks.
   *
   * @param pass the streams
   * @param blocks the blocks of one place, in ascending order of their ids
   * @param last the window of this chain that was used last, if it is still there
   */
  public DrawnCandidates(
      FireflyPass pass, List<BoundBlock> blocks, @Nullable CandidateWindow last) {
    this.pass = pass;
    this.blocks = blocks;
    this.last = last;
  }

  /** Returns the window that was used last. */
  public @Nullable CandidateWindow last() {
    return last;
  }

  @Override
  public void candidates(BrightnessUpdate update, int chain, Candidate candidate) {
    BrightnessKernel kernel = update.kernel();
    if (kernel.window() == 1) {
      kernel.draw(
          iterations(update, chain, update.iteration()),
          blocks,
          (iteration, key, uniform) -> candidate.row(key, uniform));
      return;
    }
    CandidateWindow window = last;
    if (window == null || !window.covers(update.iteration())) {
      long first = (update.iteration() - 1) / kernel.window() * kernel.window() + 1;
      window = CandidateWindow.draw(kernel, iterations(update, chain, first), blocks);
      last = window;
    }
    window.candidates(update, chain, candidate);
  }

  /** What is selected is known for the z-step's own iteration, which is all that is asked about. */
  private CandidateIterations iterations(BrightnessUpdate update, int chain, long first) {
    return new CandidateIterations(
        pass.streams(),
        chain,
        first,
        update.kernel().window(),
        SelectionSize.fixed(update.selected()));
  }
}
