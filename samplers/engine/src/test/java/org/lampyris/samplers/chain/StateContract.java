package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.chain.TransitionKernel.Transition;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.StoredForm;
import org.lampyris.samplers.testdata.Serialised;

/**
 * What every algorithm's state keeps: it is a value that the next step follows from, and a chain
 * can go on from its bytes.
 *
 * @param <S> the state
 */
public abstract class StateContract<S extends SamplerState> {
  private static final int CHAIN = 2;
  private static final ChainRunner.Length LENGTH = new ChainRunner.Length(15, 20, 2, 0.4);

  /** Returns the run's streams. */
  protected static Streams streams() {
    return new Streams(17);
  }

  /** Returns the kernel of a chain, made anew as another process would. */
  protected abstract TransitionKernel<S> kernel(int chain);

  /** Returns the θ-kernels to be tried. */
  protected abstract List<ThetaKernel> thetaKernels();

  /** Returns where chains begin. */
  protected abstract double[] start();

  /** Also when steps were made from elsewhere in between, and of other iterations. */
  @Test
  void steppingTwiceFromOneStateGivesTheSame() {
    for (ThetaKernel theta : thetaKernels()) {
      TransitionKernel<S> kernel = kernel(CHAIN);
      Transition<S> first = kernel.init(start());
      assertSameTransition(first, kernel.init(start()));
      S state = first.state();
      int moves = 0;
      for (long i = 1; i <= 40; i++) {
        byte[] before = Serialised.bytes(state);
        Transition<S> once = step(kernel, state, i, theta);
        step(kernel, first.state(), 40 - i, theta);
        Transition<S> twice = step(kernel, state, i, theta);
        assertSameTransition(once, twice);
        assertSameTransition(once, step(kernel(CHAIN), state, i, theta));
        assertArrayEquals(before, Serialised.bytes(state), "the state was modified");
        double was = state.point().theta()[0];
        moves += once.state().point().theta()[0] == was ? 0 : 1;
        state = twice.state();
      }
      assertTrue(moves > 5, moves + " moves");
    }
  }

  private static <S extends SamplerState> Transition<S> step(
      TransitionKernel<S> kernel, S state, long iteration, ThetaKernel theta) {
    return kernel.step(state, iteration, theta, streams().iteration(CHAIN, iteration));
  }

  private static <S extends SamplerState> void assertSameTransition(
      Transition<S> expected, Transition<S> actual) {
    assertEquals(expected.info(), actual.info());
    assertArrayEquals(Serialised.bytes(expected.state()), Serialised.bytes(actual.state()));
  }

  @Test
  void aChainContinuedFromItsBytesHasTheSameDraws() {
    ChainRunner runner = new ChainRunner(LENGTH, streams(), (chain, iteration, info) -> {});
    for (ThetaKernel theta : thetaKernels()) {
      ChainTrace expected = runner.run(CHAIN, kernel(CHAIN), theta, start());
      for (long cut : new long[] {0, 1, 14, 15, 16, 40}) {
        ChainTrace trace = new ChainTrace(CHAIN);
        TransitionKernel<S> kernel = kernel(CHAIN);
        ChainState<S> begun = runner.begin(trace, kernel, theta, start());
        ChainState<S> halted = runner.advance(begun, cut, kernel, trace);
        assertEquals(cut, halted.iteration());
        ChainState.Kept kept = read(StoredForm.bytes(halted.kept()));
        ChainState<S> resumed = kept.resumed(kernel(CHAIN).restored(kept.state()), theta);
        runner.advance(resumed, LENGTH.iterations(), kernel(CHAIN), trace);
        assertSameTrace(expected, trace);
      }
    }
  }

  private static ChainState.Kept read(byte[] bytes) {
    try {
      return StoredForm.read(ChainState.Kept.class, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertSameTrace(ChainTrace expected, ChainTrace actual) {
    assertEquals(LENGTH.draws(), actual.size());
    assertEquals(expected.logDensities(), actual.logDensities());
    assertEquals(expected.stepSize(), actual.stepSize());
    assertEquals(expected.initialEvaluations(), actual.initialEvaluations());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.draws().get(i), actual.draws().get(i));
    }
    assertEquals(infos(expected.warmup()), infos(actual.warmup()));
    assertEquals(infos(expected.sampling()), infos(actual.sampling()));
  }

  private static List<StepInfo> infos(List<ChainTrace.Iteration> iterations) {
    return iterations.stream().map(ChainTrace.Iteration::info).toList();
  }
}
