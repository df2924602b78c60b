package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Proxies of local sections: for each one a polynomial of order 2 in z, the continuous values
 * outside of the rows that its densities follow from,
 *
 * <pre>q_i(z) = b_iᵀδ + ½ δᵀH_iδ, δ = z − z⋆, and Σ_i q_i from Σ_i b_i and Σ_i H_i.</pre>
 *
 * <p>b_i and H_i are differences of the section's log-density about z⋆, given the row's latent
 * values. Another quadratic would be as right, only less near: what is subtracted in the sections
 * looked at is added as a sum over all of them. So b_i and H_i depend on z⋆, the data and the
 * latent values alone, and are computed again if latent values have changed. The sum is formed
 * again after each change of latent values: a pass over the b_i and H_i, which computes those of
 * changed rows only. Where a difference is not finite, q_i = 0.
 *
 * <p>Memory: k(k + 3)/2 + 1 numbers a section and the latent values of each row, for z of length
 * k, in each chain. As many evaluations as numbers to compute them.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 7.2.1, for control variates; with latent
 * values they are like the tables of stochastic average gradients.
 *
 * @param center values outside of the rows; z⋆ among them
 * @param inputs the nodes of z
 */
public record SectionProxies(Globals center, List<Node> inputs) implements Serializable {
  /** Step of a difference: this part of the size of a value, or of a tenth if that is more. */
  private static final double STEP = 1e-4;

  private static final double SMALL = 0.1;

  /**
   * Returns the proxies of a scaffold's local sections about a state's values.
   *
   * @throws UserException (usage) if sections depend on a value of their cluster
   */
  static SectionProxies of(Trace trace, Scaffold scaffold, Globals center) {
    int[] absorbing = scaffold.local().whole().absorbing();
    TreeSet<Integer> follows = new TreeSet<>();
    List<Integer> open = new ArrayList<>(Arrays.stream(absorbing).boxed().toList());
    while (!open.isEmpty()) {
      Trace.Entry entry = trace.entries().get(open.remove(open.size() - 1));
      for (int id : entry.parents()) {
        Node.Kind kind = trace.entries().get(id).node().kind();
        if (kind != Node.Kind.LATENT && follows.add(id) && kind != Node.Kind.GLOBAL) {
          open.add(id);
        }
        if (kind == Node.Kind.PER_CLUSTER) {
          throw UserException.usage(
              "%s has no proxies, because rows depend on %s, and the rows of a cluster change. Move it without them."
                  .formatted(scaffold.target(), trace.entries().get(id).node()));
        }
      }
    }
    List<Node> inputs =
        follows.stream()
            .map(id -> trace.entries().get(id))
            .filter(e -> e.node().kind() == Node.Kind.GLOBAL)
            .filter(e -> !Distributions.isCoin(e.drawn()) && !Distributions.isSign(e.drawn()))
            .map(Trace.Entry::node)
            .toList();
    return new SectionProxies(center, inputs);
  }

  /** Returns what sections absorb, by id: sections with the same densities share their proxies. */
  static List<List<Integer>> densities(List<LocalSection> sections) {
    return sections.stream().map(s -> Arrays.stream(s.absorbing()).boxed().toList()).toList();
  }

  /** Returns k. */
  private int dimension() {
    return inputs.stream().mapToInt(Node::dimension).sum();
  }

  /** Returns how many numbers a polynomial has. */
  int length() {
    return dimension() * (dimension() + 3) / 2;
  }

  private double[] z(Globals at) {
    return inputs.stream().flatMapToDouble(n -> Arrays.stream(at.value(n, 0))).toArray();
  }

  /** Returns by how much each monomial of δ changes; 0 where a value does not exist. */
  double[] change(Globals from, Globals to) {
    double[] about = z(center);
    double[] before = monomials(z(from), about);
    double[] after = monomials(z(to), about);
    double[] change = new double[before.length];
    Arrays.setAll(change, j -> Double.isFinite(after[j] - before[j]) ? after[j] - before[j] : 0);
    return change;
  }

  private double[] monomials(double[] z, double[] about) {
    int k = z.length;
    double[] all = new double[length()];
    int at = k;
    for (int i = 0; i < k; i++) {
      all[i] = z[i] - about[i];
      for (int j = 0; j <= i; j++) {
        all[at++] = (i == j ? 0.5 : 1) * all[i] * all[j];
      }
    }
    return all;
  }

  /** Returns Σ_j a_j b_j, from a position of a on. */
  static double dot(double[] a, int at, double[] b) {
    double sum = 0;
    for (int j = 0; j < b.length; j++) {
      sum += a[at + j] * b[j];
    }
    return sum;
  }

  private static double step(double value) {
    return STEP * Math.max(Math.abs(value), SMALL);
  }

  /** Returns the values moved by a step in some elements of z. */
  private Globals moved(Trace trace, double[] by) {
    Globals moved = center;
    int at = 0;
    for (Node node : inputs) {
      double[] value = center.value(node, 0).clone();
      boolean changes = false;
      for (int j = 0; j < value.length; j++) {
        changes |= by[at] != 0;
        value[j] += by[at++];
      }
      moved = changes ? trace.with(moved, node, 0, value) : moved;
    }
    return moved;
  }

  /** Returns where sections are evaluated: z⋆, then ±h_i, and h_i with each earlier h_j. */
  private List<Globals> points(Trace trace) {
    double[] z = z(center);
    List<Globals> points = new ArrayList<>(List.of(center));
    for (int i = 0; i < z.length; i++) {
      for (int sign : new int[] {1, -1}) {
        double[] by = new double[z.length];
        by[i] = sign * step(z[i]);
        points.add(moved(trace, by));
      }
      for (int j = 0; j < i; j++) {
        double[] by = new double[z.length];
        by[i] = step(z[i]);
        by[j] = step(z[j]);
        points.add(moved(trace, by));
      }
    }
    return points;
  }

  /** Writes b and H of a polynomial, from the values at the points. {@code out} is modified. */
  private void write(double[] values, double[] out, int first) {
    double[] z = z(center);
    double[] up = new double[z.length];
    int next = 1;
    int at = first + z.length;
    for (int i = 0; i < z.length; i++) {
      double h = step(z[i]);
      up[i] = values[next++];
      double down = values[next++];
      out[first + i] = (up[i] - down) / (2 * h);
      for (int j = 0; j < i; j++) {
        out[at++] = (values[next++] - up[i] - up[j] + values[0]) / (h * step(z[j]));
      }
      out[at++] = (up[i] - 2 * values[0] + down) / (h * h);
    }
    int end = first + length();
    if (!Arrays.stream(out, first, end).allMatch(Double::isFinite)) {
      Arrays.fill(out, first, end, 0);
    }
  }

  /** Polynomials of a place's rows, computed where they are missing or latent values differ. */
  final class Rows {
    private final List<LocalSection> sections;
    private final Trace trace;
    private final Place<PlainBlock> place;
    private final LocalState state;
    private final double[][] cells;
    private final int width;
    private final int length = length();
    private @Nullable Expansion expansion;

    /** Needs the lock of the memo. */
    Rows(
        List<LocalSection> sections,
        Trace trace,
        Place<PlainBlock> place,
        LocalState state,
        Memo memo) {
      this.sections = sections;
      this.trace = trace;
      this.place = place;
      this.state = state;
      this.width = 1 + trace.latents() + sections.size() * length;
      this.cells = memo.proxies(densities(sections), new Memo.About(center.values(), width));
    }

    /** Returns the numbers of a block's polynomials; one of a row begins at {@link #at}. */
    double[] of(int block, int row) {
      DataBlock data = place.blocks().get(block).data();
      if (cells[block].length == 0) {
        cells[block] = new double[data.rows() * width];
      }
      double[] cell = cells[block];
      double[] latents = state.latents(block);
      int own = row * width;
      int theirs = row * trace.latents();
      boolean known = cell[own] != 0;
      for (int j = 0; j < trace.latents() && known; j++) {
        known = cell[own + 1 + j] == latents[theirs + j];
      }
      if (!known) {
        if (expansion == null) {
          expansion = new Expansion(trace);
        }
        expansion.see(data, row, latents);
        for (int part = 0; part < sections.size(); part++) {
          write(expansion.values(sections.get(part)), cell, at(row, part));
        }
        System.arraycopy(latents, theirs, cell, own + 1, trace.latents());
        cell[own] = 1;
      }
      return cell;
    }

    int at(int row, int part) {
      return row * width + 1 + trace.latents() + part * length;
    }
  }

  /** Log-densities of a row's sections at the points. */
  private final class Expansion {
    private final Trace trace;
    private final List<Globals> points;
    private final Given given;
    private final Trace.Densities densities;

    Expansion(Trace trace) {
      this.trace = trace;
      this.points = points(trace);
      this.given = Given.of(center, trace.lets());
      this.densities = trace.densities();
    }

    void see(DataBlock data, int row, double[] latents) {
      given.see(data, row, latents, row * trace.latents());
      densities.see(given);
    }

    double[] values(LocalSection section) {
      return points.stream().mapToDouble(at -> log(at, section)).toArray();
    }

    private double log(Globals at, LocalSection section) {
      given.see(at);
      for (int id : section.needed()) {
        given.computed()[trace.entries().get(id).node().slot()] = trace.compute(id, given);
      }
      double log = 0;
      for (int id : section.absorbing()) {
        log += densities.log(id, given);
      }
      return log;
    }
  }

  /** Proxies with the change of z that a test is about. */
  record Change(SectionProxies proxies, double[] monomials) implements Serializable {}

  /** Sum of the polynomials of all sections: Σ_i b_i and Σ_i H_i. */
  record Sum(SectionProxies proxies, List<LocalSection> sections) implements RowTask {
    @Override
    public Evolved<LocalState, TreeSum.Node[]> run(
        Setting setting, Place<PlainBlock> place, LocalState before) {
      BlockSums sums = new BlockSums(place);
      int length = proxies.length();
      Memo memo = before.memo(setting.chain());
      synchronized (memo) {
        Rows rows = proxies.new Rows(sections, setting.trace(), place, before, memo);
        Selected.all(sections.size())
            .visit(
                place,
                setting,
                (block, row, part) -> {
                  double[] sum = sums.of(block, length);
                  double[] cell = rows.of(block, row);
                  int at = rows.at(row, part);
                  for (int j = 0; j < length; j++) {
                    sum[j] += cell[at + j];
                  }
                });
      }
      return new Evolved<>(before, sums.nodes());
    }
  }
}
