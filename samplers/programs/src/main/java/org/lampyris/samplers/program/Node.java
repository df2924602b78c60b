package org.lampyris.samplers.program;

/**
 * Handle of a computation in a program's code: its place in the trace. Light, so that terms which
 * mention it can be sent.
 *
 * @param id its number in the trace
 * @param name its name, which no other node has
 * @param kind what it is
 * @param slot where its value starts among values of its kind
 * @param dimension how many numbers its value has
 */
public record Node(int id, String name, Kind kind, int slot, int dimension) implements Term {
  /** Kind of a node, which determines where its value is stored. */
  public enum Kind {
    /** Random, once in the program. */
    GLOBAL("random", false),
    /** Follows from globals. */
    GLOBAL_LET("deterministic", false),
    /** Random, once for each existing cluster. */
    PER_CLUSTER("random, one for each cluster", false),
    /** Random, once a row. */
    LATENT("random", true),
    /** Computed from values visible to a row; recomputed when it is read. */
    LET("deterministic", true),
    /** Random, and known. */
    OBSERVED("observed", true);

    private final String words;
    private final boolean inPlate;

    Kind(String words, boolean inPlate) {
      this.words = words;
      this.inPlate = inPlate;
    }

    /** Returns whether there is one in each row. */
    public boolean isInPlate() {
      return inPlate;
    }

    /** Returns whether its value follows from its parents'. */
    public boolean isDeterministic() {
      return this == GLOBAL_LET || this == LET;
    }

    /** Returns its description. */
    public String words() {
      return words;
    }
  }

  @Override
  public double at(Given given) {
    return given.of(this);
  }

  /** Returns x_nᵀ times this vector, as a term whose form a scaffold knows. */
  public Dot dot() {
    return new Dot(this);
  }

  /** Returns the value of the cluster that a row's label names. */
  public Member of(Node label) {
    if (kind != Kind.PER_CLUSTER) {
      throw new IllegalArgumentException(name + " has no value for each cluster");
    }
    return new Member(this, label);
  }

  @Override
  public String toString() {
    return name;
  }
}
