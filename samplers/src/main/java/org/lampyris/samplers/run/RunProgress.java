package org.lampyris.samplers.run;

import java.util.List;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;

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
