package org.lampyris.samplers.program.named;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.program.Clusters;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;

/**
 * Reported numbers of a program, in place of the likelihood that a program does not have.
 *
 * @param nodes the nodes outside of the rows that exist in every trace
 * @param names of their elements, in order
 * @param processes the nodes among them that deal rows to clusters, reported as how many have rows
 */
record ProgramNumbers(
    ProgramModel program, Trace trace, List<Node> nodes, List<String> names, Set<Node> processes)
    implements Model {
  /**
   * Runs a program.
   *
   * @throws UserException as the program does, and (usage) if it fails otherwise
   */
  static ProgramNumbers of(ProgramModel program, FamilySpec spec, List<String> columns) {
    Trace trace;
    try {
      trace = program.trace(spec, columns);
    } catch (UserException e) {
      throw e;
    } catch (RuntimeException e) {
      throw UserException.usage(
          "model.family: the program %s fails: %s. Correct the class.".formatted(spec.name(), e),
          e);
    }
    List<Node> nodes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Set<Node> processes = new HashSet<>();
    for (Trace.Entry entry : trace.entries()) {
      Node node = entry.node();
      if (Clusters.isLabel(entry)) {
        entry.parents().forEach(id -> processes.add(trace.entries().get(id).node()));
      }
      if (!entry.existsBy().isEmpty()
          || (node.kind() != Node.Kind.GLOBAL && node.kind() != Node.Kind.GLOBAL_LET)) {
        continue;
      }
      nodes.add(node);
      for (int j = 0; j < node.dimension(); j++) {
        String element =
            node.dimension() == columns.size() ? columns.get(j) : String.valueOf(j + 1);
        names.add(node.dimension() == 1 ? node.name() : node.name() + "[" + element + "]");
      }
    }
    return new ProgramNumbers(program, trace, nodes, names, processes);
  }

  /** Returns the numbers in a state. */
  double[] at(Globals globals) {
    double[] values = new double[names.size()];
    int at = 0;
    for (Node node : nodes) {
      double[] value = processes.contains(node) ? clusters(globals) : globals.value(node, 0);
      System.arraycopy(value, 0, values, at, value.length);
      at += value.length;
    }
    return values;
  }

  /** Returns the number of clusters that rows have. */
  private static double[] clusters(Globals globals) {
    double count = 0;
    for (double[] sum : globals.sums()) {
      count += sum.length > 0 && sum[0] > 0 ? 1 : 0;
    }
    return new double[] {count};
  }

  @Override
  public int dimension() {
    return names.size();
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    throw UserException.usage(
        "%s is a program, which has no likelihood of a row. Choose a family for this."
            .formatted(program.name()));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    return logLikelihood(block, row, theta);
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    return logLikelihood(block, row, theta);
  }
}
