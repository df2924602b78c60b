package org.lampyris.executors.firefly;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.pass.Packed;
import org.lampyris.executors.segment.SegmentJobs;
import org.lampyris.executors.segment.SegmentRequest;
import org.lampyris.executors.segment.SegmentWork;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.firefly.CandidatePool;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.random.Streams;

/** Firefly in segments, see {@link SegmentJobs}. Not safe for use by several threads. */
public final class FireflySegments implements AutoCloseable {
  private final SegmentJobs<BoundBlock, CandidatePool> jobs;

  /**
   * Takes what all segments have in common.
   *
   * @param table the resident rows
   * @param sampler Firefly
   * @param runner the length of the chains, and the run's streams
   * @param chains how many chains there are, numbered from 1
   */
  public FireflySegments(BoundTable table, FireflySampler sampler, ChainRunner runner, int chains) {
    Work work = new Work(sampler, runner.length(), runner.streams());
    this.jobs = new SegmentJobs<>(table.blocks(), work, chains);
  }

  /**
   * Runs one segment of every chain.
   *
   * @param from where the chains are, in the order of their numbers, all at the same iteration
   * @param iterations how many iterations to make
   * @param following how many iterations the next segment will have, 0 if there is none: its
   *     candidates are drawn meanwhile
   * @return what became of the chains, in the same order
   */
  public List<FireflySampler.Segment> run(
      List<FireflySampler.Chain> from, int iterations, int following) {
    long first = from.get(0).state().iteration() + 1;
    SegmentRequest request = SegmentRequest.together(from.size(), first, iterations);
    @Nullable SegmentRequest next =
        following == 0 ? null : SegmentRequest.together(from.size(), first + iterations, following);
    byte[][] packed = from.stream().map(Packed::pack).toArray(byte[][]::new);
    return jobs.run(packed, request, next).stream()
        .<FireflySampler.Segment>map(Packed::unpack)
        .toList();
  }

  /** Returns how many jobs were run. */
  public long jobs() {
    return jobs.jobs();
  }

  @Override
  public void close() {
    jobs.close();
  }

  private record Work(FireflySampler sampler, ChainRunner.Length length, Streams streams)
      implements SegmentWork<BoundBlock, CandidatePool> {

    @Override
    public CandidatePool draw(int chain, long first, int iterations, List<BoundBlock> blocks) {
      return CandidatePool.draw(sampler.zStep(), sampler.pass(), chain, first, iterations, blocks);
    }

    @Override
    public byte[] advance(byte[] chain, List<CandidatePool> pools) {
      ChainRunner runner = new ChainRunner(length, streams, (number, iteration, info) -> {});
      return Packed.pack(sampler.advance(runner, Packed.unpack(chain), pools));
    }
  }
}
