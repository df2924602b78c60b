package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;

class FireflyKernelTest {
  private static final int CHAIN = 3;

  /** What a chain draws first in an iteration is what pools are drawn by. */
  @Test
  void theSizeOfASelectionIsKnownBeforeItsIteration() {
    Streams streams = new Streams(6);
    FireflyPass pass = new FireflyPass(new JaakkolaJordanBound(1), streams);
    FireflyRows.InMemory rows = new FireflyRows.InMemory(List.of(TinyModel.block(null)), pass);
    RowSelection.Size size = RowSelection.Size.distinctOf(50, 100);
    List<Long> asked = new ArrayList<>();
    FireflyKernel<Brightness> kernel =
        new FireflyKernel<>(
            CHAIN,
            TinyModel.prior(),
            TinyModel.collapsed(),
            new ScriptedRows(
                (before, question) -> {
                  BrightnessKernel.Update update = question.update();
                  if (update != null && update.iteration() > 0) {
                    asked.add(update.selected());
                  }
                  return rows.ask(before, question);
                }),
            new FireflyKernel.ZStep(new ExplicitBrightness(new RowSelection.All()), size),
            2);
    ChainRunner.Length length = new ChainRunner.Length(10, 20, 2, 0.3);
    new ChainRunner(length, streams, (chain, iteration, info) -> {})
        .run(CHAIN, kernel, new RandomWalk(Preconditioner.identity(1), 1), new double[] {0.3});
    List<Long> expected =
        LongStream.rangeClosed(1, length.iterations())
            .map(iteration -> size.of(streams, CHAIN, iteration))
            .boxed()
            .toList();
    assertEquals(expected, asked);
    assertTrue(asked.stream().distinct().count() > 3, "sizes differ: " + asked);
  }
}
