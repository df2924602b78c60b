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
 * again after each change of latent values. This takes a pass over all b_i and H_i, and computes
 * only those whose rows have changed. Where a difference is not finite, q_i = 0.
 *
 * <p>Memory: k(k + 3)/2 + 1 numbers a section and the latent values of each row, for z of length k,
 * in each chain. As many evaluations as numbers to compute them.
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
    // A trace's own values have no times of changes.
    int[] unchanged = new int[trace.entries().size()];
    return new SectionProxies(
        new Globals(
            center.values(), center.clusters(), center.sums(), center.places(), unchanged, 0, 0),
        inputs);
  }

  /** Returns whether polynomials of the same sections are the same. */
  boolean same(SectionProxies other) {
    return Arrays.equals(center.values(), other.center.values());
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

  /** Polynomials of a place's rows, computed where they are missing or latent values differ. */
  final class Polynomials {
    private final List<LocalSection> sections;
    private final Trace trace;
    private final Place<PlainBlock> place;
    private final LocalState state;
    private final double[][] cells;
    private final int width;
    private final int length = length();
    private @Nullable Expansion expansion;

    /** Needs the lock of the memo. */
    Polynomials(
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
          expansion.write(sections.get(part), cell, at(row, part));
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

  /** Differences of the log-densities of a row's sections about z⋆. */
  private final class Expansion {
    private final Trace trace;
    private final double[] steps;

    /** z⋆; then for each i z⋆ ± h_i, and z⋆ + h_i + h_j for each j below i. */
    private final Globals[] points;

    private final double[] values;
    private final Given given;
    private final Trace.Densities densities;

    Expansion(Trace trace) {
      this.trace = trace;
      this.steps = z(center);
      for (int i = 0; i < steps.length; i++) {
        steps[i] = STEP * Math.max(Math.abs(steps[i]), SMALL);
      }
      List<Globals> all = new ArrayList<>(List.of(center));
      for (int i = 0; i < steps.length; i++) {
        all.add(moved(i, i, 1));
        all.add(moved(i, i, -1));
        for (int j = 0; j < i; j++) {
          all.add(moved(i, j, 1));
        }
      }
      this.points = all.toArray(new Globals[0]);
      this.values = new double[points.length];
      this.given = Given.of(center, trace.lets());
      this.densities = trace.densities();
    }

    /** Returns the values with z_i and z_j moved by a step. */
    private Globals moved(int i, int j, int sign) {
      Globals moved = center;
      int at = 0;
      for (Node node : inputs) {
        double[] value = center.value(node, 0).clone();
        for (int e = 0; e < value.length; e++, at++) {
          value[e] += at == i || at == j ? sign * steps[at] : 0;
        }
        moved = trace.with(moved, node, 0, value);
      }
      return moved;
    }

    void see(DataBlock data, int row, double[] latents) {
      given.see(data, row, latents, row * trace.latents());
      densities.see(given);
    }

    /** Writes b and H of a section. {@code out} is modified. */
    void write(LocalSection section, double[] out, int first) {
      for (int p = 0; p < points.length; p++) {
        values[p] = log(points[p], section);
      }
      int k = steps.length;
      int next = 1;
      int at = first + k;
      boolean finite = true;
      for (int i = 0; i < k; i++) {
        double up = values[next++];
        double down = values[next++];
        out[first + i] = (up - down) / (2 * steps[i]);
        for (int j = 0, other = 1; j < i; other += 2 + j, j++) {
          double both = values[next++];
          out[at++] = (both - up - values[other] + values[0]) / (steps[i] * steps[j]);
        }
        out[at++] = (up - 2 * values[0] + down) / (steps[i] * steps[i]);
      }
      for (int l = first; l < at; l++) {
        finite &= Double.isFinite(out[l]);
      }
      if (!finite) {
        Arrays.fill(out, first, at, 0);
      }
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
        Polynomials rows = proxies.new Polynomials(sections, setting.trace(), place, before, memo);
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
