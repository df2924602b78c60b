package org.lampyris.samplers.run;

import java.util.List;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;

/** Is told how far a run is, and what it decides. One phase is open at a time. */
public interface RunProgress {
  /** Opens a phase of which nobody knows how long it takes. */
  void begin(String phase);

  /** Tells what the open phase is at or has decided, in a line. */
  void note(String line);

  /** Ends the open phase. */
  void end();

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

  /** Is told of the iterations of all chains, from their own threads. */
  interface Chains extends ChainRunner.Observer, AutoCloseable {
    /** Tells of a segment that all chains have made. */
    void segment(List<ChainTrace> traces);

    /** Tells what has been decided, in a line. */
    void note(String line);

    /** Returns how long the warm-up took, what comes before it included; 0 without one. */
    double warmupSeconds();

    /** Returns how long the iterations after the warm-up took, once closed. */
    double samplingSeconds();

    @Override
    void close();
  }
}
