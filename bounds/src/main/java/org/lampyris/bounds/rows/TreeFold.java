package org.lampyris.bounds.rows;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * Sum of one value per block along a fixed binary tree over block ids. The rounded result is the
 * same for every distribution of blocks over partitions.
 *
 * <p>The tree is the binary trie of the ids: the two halves of each aligned range [k·2^l,
 * (k+1)·2^l) are summed first, then added, left + right. A block without a value counts as zero and
 * is passed over, which changes no bit. A partition with the consecutive ids {@code from … to − 1}
 * sums every aligned range inside it, and returns at most 2·log₂(to − from) {@linkplain Node
 * nodes}; {@link #total} finishes the sum.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <V> what is added up
 */
public final class TreeFold<V> {
  /**
   * A sum over the aligned range of ids of length 2^level that holds {@code first}. A plain class
   * and not a record, for Kryo's sake.
   */
  public static class Node<V> implements Serializable {
    private final long first;
    private final int level;

    @SuppressWarnings("serial") // what is sent is serialisable
    private final V value;

    /** Wraps a sum, which is not copied. */
    public Node(long first, int level, V value) {
      this.first = first;
      this.level = level;
      this.value = value;
    }

    /** Returns the first id in the range that has a value. */
    public long first() {
      return first;
    }

    /** Returns log₂ of the range's length. */
    public int level() {
      return level;
    }

    /** Returns the sum itself, not a copy. */
    public V value() {
      return value;
    }
  }

  private final long from;
  private final long to;
  private final BinaryOperator<V> plus;
  private final ArrayDeque<Node<V>> stack = new ArrayDeque<>();
  private long last = -1;
  private boolean ended;

  /**
   * Begins a sum over the blocks {@code from … to − 1}. They are the run of ids that this sum is
   * alone to see.
   *
   * @param plus returns left + right; it may modify either
   */
  public TreeFold(long from, long to, BinaryOperator<V> plus) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("blocks from " + from + " to " + to);
    }
    this.from = from;
    this.to = to;
    this.plus = plus;
  }

  /**
   * Adds a block's value. Blocks come in ascending order of their ids.
   *
   * @throws IllegalStateException after {@link #nodes}
   */
  public void add(long blockId, V value) {
    if (ended) {
      throw new IllegalStateException("block " + blockId + " follows the end of the sum");
    }
    if (blockId < from || blockId >= to) {
      throw new IllegalArgumentException(
          "block " + blockId + " is outside " + from + " … " + (to - 1));
    }
    add(new Node<>(blockId, 0, value));
  }

  private void add(Node<V> node) {
    if (node.first() <= last) {
      throw new IllegalArgumentException("block " + node.first() + " follows block " + last);
    }
    last = node.first();
    Node<V> top = stack.peek();
    if (top != null) {
      mergeBelow(commonLevel(top, node));
    }
    stack.push(node);
  }

  /**
   * Ends the sum and returns its nodes, in ascending order. Ranges of which only a part has arrived
   * are summed here, and cannot take further values in the tree's order.
   */
  public List<Node<V>> nodes() {
    ended = true;
    mergeBelow(Long.SIZE);
    List<Node<V>> nodes = new ArrayList<>(stack.size());
    stack.descendingIterator().forEachRemaining(nodes::add);
    return nodes;
  }

  /** Returns the sum of all blocks from the nodes of every partition; empty if there are none. */
  public static <V> Optional<V> total(List<Node<V>> nodes, BinaryOperator<V> plus) {
    TreeFold<V> sum = new TreeFold<>(0, Long.MAX_VALUE, plus);
    List<Node<V>> ordered = new ArrayList<>(nodes);
    ordered.sort(Comparator.comparingLong(Node::first));
    ordered.forEach(sum::add);
    return sum.nodes().stream().findFirst().map(Node::value);
  }

  /** Merges the topmost nodes as long as their common range ends below {@code level}. */
  private void mergeBelow(int level) {
    while (stack.size() > 1) {
      Node<V> right = stack.pop();
      Node<V> left = stack.peek();
      int common = commonLevel(left, right);
      if (common >= level || !inside(left.first(), common)) {
        stack.push(right);
        return;
      }
      stack.pop();
      stack.push(new Node<>(left.first(), common, plus.apply(left.value(), right.value())));
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
  private static int commonLevel(Node<?> a, Node<?> b) {
    return Long.SIZE - Long.numberOfLeadingZeros(a.first() ^ b.first());
  }
}
