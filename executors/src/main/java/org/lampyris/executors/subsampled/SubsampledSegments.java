package org.lampyris.executors.subsampled;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.pass.Packed;
import org.lampyris.executors.segment.SegmentJobs;
import org.lampyris.executors.segment.SegmentRequest;
import org.lampyris.executors.segment.SegmentWork;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.subsampled.CandidateStream;
import org.lampyris.samplers.subsampled.PointPool;
import org.lampyris.samplers.subsampled.ProxyBlock;
import org.lampyris.samplers.subsampled.SubsampledSampler;

/**
 * Metropolis–Hastings by proxies in segments, see {@link SegmentJobs}. The pools hold the points of
 * the lowest slab of heights; a chain that needs more stops before that iteration.
 *
 * <p>Not safe for use by several threads.
 */
public final class SubsampledSegments implements AutoCloseable {
  private final SegmentJobs<ProxyBlock, PointPool> jobs;

  /**
   * Takes what all segments have in common.
   *
   * @param table the resident rows
   * @param sampler the algorithm
   * @param runner the length of the chains, and the run's streams
   * @param streams draws each chain's points, by its number
   * @param chains how many chains there are, numbered from 1
   */
  public SubsampledSegments(
      ProxyTable table,
      SubsampledSampler sampler,
      ChainRunner runner,
      IntFunction<CandidateStream> streams,
      int chains) {
    CandidateStream[] all = new CandidateStream[chains];
    for (int c = 0; c < chains; c++) {
      all[c] = streams.apply(c + 1);
    }
    Work work = new Work(sampler, all, runner.length(), runner.streams());
    this.jobs = new SegmentJobs<>(table.blocks(), work, chains);
  }

  /**
   * Runs one segment of every chain.
   *
   * @param from where the chains are, in the order of their numbers
   * @param request which iterations to make; 0 of them for a chain that waits
   * @param following what will probably be asked for next; null for nothing
   * @return what became of the chains, in the same order
   */
  public List<SubsampledSampler.Segment> run(
      List<ChainState> from, SegmentRequest request, @Nullable SegmentRequest following) {
    byte[][] packed = from.stream().map(Packed::pack).toArray(byte[][]::new);
    return jobs.run(packed, request, following).stream()
        .<SubsampledSampler.Segment>map(Packed::unpack)
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

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Work(
      SubsampledSampler sampler,
      CandidateStream[] points,
      ChainRunner.Length length,
      Streams streams)
      implements SegmentWork<ProxyBlock, PointPool> {

    @Override
    public PointPool draw(int chain, long first, int iterations, List<ProxyBlock> blocks) {
      CandidateStream stream = points[chain - 1];
      return PointPool.draw(stream, first, iterations, stream.thickness(), blocks);
    }

    @Override
    public byte[] advance(byte[] chain, List<PointPool> pools) {
      ChainRunner runner = new ChainRunner(length, streams, (number, iteration, info) -> {});
      return Packed.pack(sampler.advance(runner, Packed.unpack(chain), pools));
    }
  }
}
