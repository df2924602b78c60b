package org.lampyris.samplers.firefly;

import java.util.List;

/**
 * The rows of one chain in memory: the reference for every distributed form, and what the task of a
 * segment uses.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryFireflyRows implements FireflyRows {
  private final List<BoundBlock> blocks;
  private final FireflyPass pass;
  private final CandidateSource candidates;
  private Brightness brightness;

  /**
   * Begins with all rows dark, and draws candidates from all rows.
   *
   * @param blocks the blocks in ascending order of their ids
   * @param pass answers for blocks
   */
  public InMemoryFireflyRows(List<BoundBlock> blocks, FireflyPass pass) {
    this(blocks, pass, new DrawnCandidates(pass, blocks, null), Brightness.dark());
  }

  /**
   * Begins with given brightness.
   *
   * @param blocks the blocks in ascending order of their ids
   * @param pass answers for blocks
   * @param candidates where candidates come from
   * @param brightness which rows are bright
   */
  InMemoryFireflyRows(
      List<BoundBlock> blocks,
      FireflyPass pass,
      CandidateSource candidates,
      Brightness brightness) {
    this.blocks = List.copyOf(blocks);
    this.pass = pass;
    this.candidates = candidates;
    this.brightness = brightness;
  }

  @Override
  public FireflyAnswer ask(FireflyQuestion question) {
    FireflyShare.Sum share = new FireflyShare.Sum(0, Long.MAX_VALUE);
    brightness = pass.answer(blocks, candidates, brightness, question, share);
    return FireflyAnswer.of(question, List.of(share.end()), pass.dimension());
  }

  /** Returns which rows are bright. */
  public Brightness brightness() {
    return brightness;
  }
}
