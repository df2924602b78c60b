package org.lampyris.executors.subsampled;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.executors.pass.Packed;
import org.lampyris.executors.pass.PartitionJob;
import org.lampyris.samplers.subsampled.CandidateRows;
import org.lampyris.samplers.subsampled.CandidateStream;
import org.lampyris.samplers.subsampled.PointPool;
import org.lampyris.samplers.subsampled.PooledCandidateRows;
import org.lampyris.samplers.subsampled.ProxyBlock;

/**
 * Answers the chains' questions on the executors, the questions of all chains in one job: the
 * stepwise execution plan. The points that a chain asks for come to it with their rows.
 */
public final class PointJobs implements Function<List<PointQuestion>, List<PointJobs.PointAnswer>> {
  private final ProxyTable table;
  private final TaylorProxy proxy;

  /**
   * What the rows answer.
   *
   * @param pools the points, from each place; none where all rows were asked about
   * @param difference Σ_n R_n(θ′) − R_n(θ) over all rows, where that was asked
   */
  public record PointAnswer(List<PointPool> pools, double difference) {}

  /** A partition's share of an answer. */
  private record Share(List<PointPool> pools, List<TreeSum.Node> nodes) implements Serializable {}

  /** Takes the resident rows and their proxies. */
  public PointJobs(ProxyTable table, TaylorProxy proxy) {
    this.table = table;
    this.proxy = proxy;
  }

  @Override
  public List<PointAnswer> apply(List<PointQuestion> questions) {
    List<List<Share>> places = new ArrayList<>();
    Ask ask = new Ask(proxy, table.ranges(), questions.toArray(new PointQuestion[0]));
    for (byte[] packed : PartitionJob.run(table.blocks(), ask)) {
      places.add(Packed.unpack(packed));
    }
    List<PointAnswer> answers = new ArrayList<>();
    for (int q = 0; q < questions.size(); q++) {
      List<PointPool> pools = new ArrayList<>();
      List<TreeSum.Node> nodes = new ArrayList<>();
      for (List<Share> place : places) {
        pools.addAll(place.get(q).pools());
        nodes.addAll(place.get(q).nodes());
      }
      answers.add(new PointAnswer(pools, TreeSum.total(nodes, 1)[0]));
    }
    return answers;
  }

  /**
   * Returns the rows as a chain sees them that asks for everything.
   *
   * @param stream draws the chain's points
   * @param ask asks these jobs, perhaps together with other chains
   */
  public CandidateRows rows(CandidateStream stream, Function<PointQuestion, PointAnswer> ask) {
    return new CandidateRows() {
      @Override
      public long rows() {
        return table.size().rows();
      }

      @Override
      public double total() {
        return table.size().total();
      }

      @Override
      public void visit(long iteration, double height, Visitor visitor) {
        PointAnswer answer = ask.apply(new PointQuestion(stream, iteration, height, null, null));
        new PooledCandidateRows(answer.pools(), rows(), total()).visit(iteration, height, visitor);
      }

      @Override
      public double differences(double[] from, double[] to) {
        return ask.apply(new PointQuestion(stream, 0, 0, from, to)).difference();
      }
    };
  }

  /** Answers for one partition. */
  private static final class Ask extends PartitionJob.Task<ProxyBlock, byte[]> {
    private static final long serialVersionUID = 1L;
    private final TaylorProxy proxy;
    private final BlockRanges ranges;
    private final PointQuestion[] questions;

    Ask(TaylorProxy proxy, BlockRanges ranges, PointQuestion[] questions) {
      this.proxy = proxy;
      this.ranges = ranges;
      this.questions = questions;
    }

    @Override
    protected byte[] run(int partition, Iterator<ProxyBlock> elements) {
      List<ProxyBlock> blocks = new ArrayList<>();
      elements.forEachRemaining(blocks::add);
      ArrayList<Share> shares = new ArrayList<>();
      for (PointQuestion question : questions) {
        double[] from = question.from();
        double[] to = question.to();
        if (from == null || to == null) {
          PointPool pool =
              PointPool.draw(question.stream(), question.iteration(), 1, question.height(), blocks);
          shares.add(new Share(new ArrayList<>(List.of(pool)), new ArrayList<>()));
        } else {
          TreeSum sum = new TreeSum(ranges.from(partition), ranges.to(partition));
          for (ProxyBlock block : blocks) {
            sum.add(block.id(), new double[] {block.differences(proxy, from, to)});
          }
          shares.add(new Share(new ArrayList<>(), new ArrayList<>(sum.nodes())));
        }
      }
      return Packed.pack(shares);
    }
  }
}
