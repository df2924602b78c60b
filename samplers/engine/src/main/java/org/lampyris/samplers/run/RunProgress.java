package org.lampyris.samplers.run;

import java.util.List;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;

/** Receiver of a run's progress and decisions. One phase is open at a time. */
public interface RunProgress {
  /** Opens a phase of unknown length. */
  void begin(String phase);

  /** Reports the current work or a decision of the open phase, in a line. */
  void note(String line);

  /** Ends the open phase. */
  void end();

  /**
   * Takes notice of the likelihood evaluations that a run without a warm-up expects of a draw, +∞
   * if it finds that it cannot draw. Whoever has another algorithm may end the run by an exception.
   */
  default void expects(double evaluations) {
    // The run goes on.
  }

  /** Opens the phases of the chains: warm-up and sampling. */
  Chains chains(int chains, ChainRunner.Length length);

  /** Shows nothing. */
  class Silent implements RunProgress, Chains {
    @Override
    public void begin(String phase) {
      // Nothing is shown.
    }

    @Override
    public void note(String line) {
      // Nothing is shown.
    }

    @Override
    public void end() {
      // Nothing is shown.
    }

    @Override
    public Chains chains(int chains, ChainRunner.Length length) {
      return this;
    }

    @Override
    public void iteration(int chain, long iteration, StepInfo info) {
      // Nothing is shown.
    }

    @Override
    public void segment(List<ChainTrace> traces) {
      // Nothing is shown.
    }

    @Override
    public double warmupSeconds() {
      return 0;
    }

    @Override
    public double samplingSeconds() {
      return 0;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  /** Receiver of the iterations of all chains, called from their own threads. */
  interface Chains extends ChainRunner.Observer, AutoCloseable {
    /** Reports a segment that all chains have made. */
    void segment(List<ChainTrace> traces);

    /** Reports a decision, in a line. */
    void note(String line);

    /** Returns the time of the warm-up, including set-up; 0 without one. */
    double warmupSeconds();

    /** Returns how long the iterations after the warm-up took, once closed. */
    double samplingSeconds();

    @Override
    void close();
  }
}
