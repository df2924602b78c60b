package org.lampyris.bounds.rows;

import java.util.ArrayList;
import java.util.List;

/**
 * Sums one vector per block along the tree of a {@link TreeFold}. Not safe for use by several
 * threads.
 */
public final class TreeSum {
  /** Node of the tree, as a class with arrays. */
  public static final class Node extends TreeFold.Node<double[]> {
    /** Wraps a sum, which is not copied. */
    public Node(long first, int level, double[] value) {
      super(first, level, value);
    }
  }

  private final TreeFold<double[]> fold;

  /**
   * Begins a sum over the blocks {@code from … to − 1}. They are the run of ids that this sum is
   * alone to see.
   */
  public TreeSum(long from, long to) {
    fold = new TreeFold<>(from, to, TreeSum::plus);
  }

  /**
   * Adds a block's vector, which is kept and may be modified. Blocks come in ascending order of
   * their ids.
   *
   * @throws IllegalStateException after {@link #nodes}
   */
  public void add(long blockId, double[] value) {
    fold.add(blockId, value);
  }

  /** Ends the sum and returns its nodes, in ascending order. */
  public List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (TreeFold.Node<double[]> node : fold.nodes()) {
      nodes.add(new Node(node.first(), node.level(), node.value()));
    }
    return nodes;
  }

  /**
   * Returns the sum of all blocks from the nodes of every partition.
   *
   * @param length the length of the vectors, for when there is no node at all
   */
  public static double[] total(List<Node> nodes, int length) {
    if (nodes.isEmpty()) {
      return new double[length];
    }
    // The nodes' vectors stay as they are: they may be somebody's cached result.
    if (nodes.size() == 1) {
      return nodes.get(0).value().clone();
    }
    List<TreeFold.Node<double[]>> copies = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      copies.add(new TreeFold.Node<>(node.first(), node.level(), node.value().clone()));
    }
    return TreeFold.total(copies, TreeSum::plus).orElseThrow();
  }

  private static double[] plus(double[] left, double[] right) {
    for (int i = 0; i < left.length; i++) {
      left[i] += right[i];
    }
    return left;
  }
}
