package org.lampyris.bounds.block;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sums one vector per block along a fixed binary tree over block ids, so that the rounded result is
 * the same however the blocks are spread over partitions.
 *
 * <p>The tree is the binary trie of the ids: the two halves of each aligned range [k·2^l,
 * (k+1)·2^l) are summed first, then added, left + right. A block without a vector counts as zero
 * and is passed over, which changes no bit. A partition that holds the consecutive ids {@code from
 * … to − 1} can add up every aligned range that lies wholly inside, and hands over at most
 * 2·log₂(to − from) {@linkplain Node nodes}; {@link #total} finishes the sum.
 *
 * <p>Not safe for use by several threads.
 */
public final class TreeSum {
  /**
   * A sum over the aligned range of ids of length 2^level that holds {@code first}. A plain class
   * and not a record, for Kryo's sake.
   */
  public static final class Node implements Serializable {
    private final long first;
    private final int level;
    private final double[] value;

    /** Wraps a sum, which is not copied. */
    public Node(long first, int level, double[] value) {
      this.first = first;
      this.level = level;
      this.value = value;
    }

    /** Returns the first id in the range that has a vector. */
    public long first() {
      return first;
    }

    /** Returns log₂ of the range's length. */
    public int level() {
      return level;
    }

    /** Returns the sum itself, not a copy. */
    public double[] value() {
      return value;
    }
  }

  private final long from;
  private final long to;
  private final ArrayDeque<Node> stack = new ArrayDeque<>();
  private long last = -1;
  private boolean ended;

  /**
   * Begins a sum over the blocks {@code from … to − 1}. They are the run of ids that this sum is
   * alone to see.
   */
  public TreeSum(long from, long to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("blocks from " + from + " to " + to);
    }
    this.from = from;
    this.to = to;
  }

  /**
   * Adds a block's vector, which is kept and may be modified. Blocks come in ascending order of
   * their ids.
   *
   * @throws IllegalStateException after {@link #nodes}
   */
  public void add(long blockId, double[] value) {
    if (ended) {
      throw new IllegalStateException("block " + blockId + " comes after the end of the sum");
    }
    if (blockId < from || blockId >= to) {
      throw new IllegalArgumentException(
          "block " + blockId + " is outside of " + from + " … " + (to - 1));
    }
    add(new Node(blockId, 0, value));
  }

  private void add(Node node) {
    if (node.first() <= last) {
      throw new IllegalArgumentException("block " + node.first() + " comes after block " + last);
    }
    last = node.first();
    Node top = stack.peek();
    if (top != null) {
      mergeBelow(commonLevel(top, node));
    }
    stack.push(node);
  }

  /**
   * Ends the sum and returns what has been added up, in ascending order. An end it is: a range of
   * which only a part has come is summed up here, and could take in no more in the tree's order.
   */
  public List<Node> nodes() {
    ended = true;
    mergeBelow(Long.SIZE);
    List<Node> nodes = new ArrayList<>(stack.size());
    stack.descendingIterator().forEachRemaining(nodes::add);
    return nodes;
  }

  /**
   * Returns the sum of all blocks from the nodes of every partition.
   *
   * @param length the length of the vectors, for when there is no node at all
   */
  public static double[] total(List<Node> nodes, int length) {
    if (nodes.size() <= 1) {
      return nodes.isEmpty() ? new double[length] : nodes.get(0).value().clone();
    }
    List<Node> sorted = new ArrayList<>(nodes);
    sorted.sort(Comparator.comparingLong(Node::first));
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (Node node : sorted) {
      // The nodes' vectors stay as they are: they may be somebody's cached result.
      sum.add(new Node(node.first(), node.level(), node.value().clone()));
    }
    return sum.nodes().get(0).value();
  }

  /** Merges the topmost nodes as long as their common range ends below {@code level}. */
  private void mergeBelow(int level) {
    while (stack.size() > 1) {
      Node right = stack.pop();
      Node left = stack.peek();
      int common = commonLevel(left, right);
      if (common >= level || !inside(left.first(), common)) {
        stack.push(right);
        return;
      }
      stack.pop();
      double[] value = left.value();
      for (int i = 0; i < value.length; i++) {
        value[i] += right.value()[i];
      }
      stack.push(new Node(left.first(), common, value));
    }
  }

  private boolean inside(long id, int level) {
    if (from == 0 && to == Long.MAX_VALUE) {
      return true;
    }
    long first = id >>> level << level;
    return first >= from && (to - first) >>> level != 0;
  }

  /** Returns the level of the smallest aligned range that holds both. */
  private static int commonLevel(Node a, Node b) {
    return Long.SIZE - Long.numberOfLeadingZeros(a.first() ^ b.first());
  }
}
