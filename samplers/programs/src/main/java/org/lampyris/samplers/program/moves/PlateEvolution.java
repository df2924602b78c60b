package org.lampyris.samplers.program.moves;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Evolution of a program's rows under the tasks of moves.
 *
 * @param begin in how many clusters rows begin, at random; other latent values begin at 0
 */
record PlateEvolution(Trace trace, Streams streams, ProgramTable.Size table, int begin)
    implements RowEvolution<
        PlainBlock, LocalState, PlateEvolution.Question, TreeSum.Node[], double[]> {
  record Question(int chain, RowTask task) implements RowEvolution.ChainQuestion {}

  @Override
  public LocalState initial(Place<PlainBlock> place) {
    double[][] latents = new double[place.blocks().size()][];
    for (int b = 0; b < latents.length; b++) {
      DataBlock data = place.blocks().get(b).data();
      latents[b] = new double[data.rows() * trace.latents()];
      if (begin > 1) {
        UniformRandomProvider rng = streams.stream(Streams.Purpose.LABELS, 0, 0, data.id());
        Arrays.setAll(latents[b], i -> rng.nextInt(begin));
      }
    }
    return new LocalState(latents);
  }

  @Override
  public Evolved<LocalState, TreeSum.Node[]> add(
      Place<PlainBlock> place, LocalState before, Question question) {
    return question.task.run(
        new RowTask.Setting(trace, streams, question.chain, table), place, before);
  }

  @Override
  public double[] merge(Question question, List<TreeSum.Node[]> shares) {
    int length = 0;
    for (TreeSum.Node[] share : shares) {
      for (TreeSum.Node node : share) {
        length = Math.max(length, node.value().length);
      }
    }
    List<TreeSum.Node> all = new ArrayList<>();
    for (TreeSum.Node[] share : shares) {
      for (TreeSum.Node node : share) {
        double[] value = Arrays.copyOf(node.value(), length);
        all.add(new TreeSum.Node(node.first(), node.level(), value));
      }
    }
    return TreeSum.total(all, length);
  }
}
