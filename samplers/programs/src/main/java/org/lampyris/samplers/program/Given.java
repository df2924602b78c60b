package org.lampyris.samplers.program;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The values that a term can see: those outside of the rows, and one row's. Reused from row to row;
 * not safe for use by several threads.
 */
public final class Given {
  private static final double[] NONE = {};

  private final @Nullable Set<Integer> reads;
  private final double[] computed;
  private Globals globals;
  private @Nullable DataBlock block;
  private int row;
  private double[] latents = NONE;
  private int offset;
  private int cluster = -1;

  private Given(Globals globals, int lets, @Nullable Set<Integer> reads) {
    this.globals = globals;
    this.computed = new double[lets];
    this.reads = reads;
  }

  /** Returns values outside the rows, with room for computed values of a row. */
  public static Given of(Globals globals, int lets) {
    return new Given(globals, lets, null);
  }

  /** Returns one that notes the ids of the nodes that are read. All data are 0. */
  static Given noting(Globals globals, int lets, double[] latents, Set<Integer> reads) {
    Given given = new Given(globals, lets, reads);
    given.latents = latents;
    return given;
  }

  /**
   * Turns to a row.
   *
   * @param rowLatents the row's latent values begin at {@code at}. Not copied.
   */
  public void see(DataBlock rows, int number, double[] rowLatents, int at) {
    this.block = rows;
    this.row = number;
    this.latents = rowLatents;
    this.offset = at;
    this.cluster = -1;
  }

  /** Treats the current row as a member of a cluster, for any label; −1 restores its label's. */
  public void suppose(int number) {
    this.cluster = number;
  }

  /** Returns the computed values of this row, by slot; the code that computes them writes here. */
  public double[] computed() {
    return computed;
  }

  /** Returns the values outside of the rows. */
  public Globals globals() {
    return globals;
  }

  /** Turns to other values outside of the rows. */
  public void see(Globals others) {
    this.globals = others;
  }

  /** Returns the row's latent values, which begin at {@link #offset}. */
  double[] latents() {
    return latents;
  }

  int offset() {
    return offset;
  }

  /** Returns a node's value. */
  public double of(Node node) {
    return of(node, 0);
  }

  /** Returns an element of a node's value. */
  public double of(Node node, int element) {
    note(node);
    return switch (node.kind()) {
      case GLOBAL, GLOBAL_LET -> globals.values()[node.slot() + element];
      case LATENT -> latents[offset + node.slot() + element];
      case LET -> computed[node.slot()];
      case PER_CLUSTER, OBSERVED ->
          throw new IllegalArgumentException(node + " has no value of its own in each row");
    };
  }

  /** Returns the value of the row's cluster; not a copy. */
  public double[] of(Member member) {
    note(member.family());
    note(member.label());
    return globals.clusters()[member.family().slot()][cluster(member.label())];
  }

  /** Returns the number of the row's cluster. */
  public int cluster(Node label) {
    return cluster >= 0 ? cluster : globals.places()[(int) latents[offset + label.slot()]];
  }

  /** Returns x_nᵀ times a global vector, one element a column. */
  public double dot(Node vector) {
    note(vector);
    return block == null ? 0 : block.dot(row, globals.values(), fitting(vector, block).slot());
  }

  /** Returns x_nᵀ times the vector of the row's cluster. */
  public double dot(Member member) {
    double[] vector = of(member);
    if (block == null) {
      return 0;
    }
    fitting(member.family(), block);
    return block.dot(row, vector, 0);
  }

  private static Node fitting(Node vector, DataBlock block) {
    if (vector.dimension() != block.columns()) {
      throw UserException.usage(
          "%s has %d elements and a row has %d columns. Give it one element for each column."
              .formatted(vector, vector.dimension(), block.columns()));
    }
    return vector;
  }

  /** Returns x_n[column]. */
  public double feature(int column) {
    return block == null ? 0 : block.feature(row, column);
  }

  /** Returns y_n. */
  public double response() {
    return block == null ? 0 : block.response(row);
  }

  private void note(Node node) {
    if (reads != null) {
      reads.add(node.id());
    }
  }
}
