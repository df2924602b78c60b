package org.lampyris.samplers.program.run;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;

/**
 * Reported numbers of a program, in place of the likelihood that a program does not have.
 *
 * @param nodes the nodes outside of the rows that exist in every trace
 * @param names of their elements, in order, and of the number of clusters if there are any
 * @param clusters whether rows have clusters
 */
record ProgramNumbers(
    ProgramModel program, Trace trace, List<Node> nodes, List<String> names, boolean clusters)
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
    boolean clusters = false;
    for (Trace.Entry entry : trace.entries()) {
      Node node = entry.node();
      clusters |= node.kind() == Node.Kind.PER_CLUSTER;
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
    if (clusters) {
      names.add("clusters");
    }
    return new ProgramNumbers(program, trace, nodes, names, clusters);
  }

  /** Returns the numbers in a state. */
  double[] at(Globals globals) {
    double[] values = new double[names.size()];
    int at = 0;
    for (Node node : nodes) {
      double[] value = globals.value(node, 0);
      System.arraycopy(value, 0, values, at, value.length);
      at += value.length;
    }
    if (clusters) {
      for (double[] sum : globals.sums()) {
        values[at] += sum.length > 0 && sum[0] > 0 ? 1 : 0;
      }
    }
    return values;
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
