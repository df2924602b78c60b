package org.lampyris.samplers.program.moves;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Index of a place's rows by label, so that a test finds a cluster's rows without searching all
 * others: for each block and label, a bit for every row. Immutable. Made when it is first asked
 * for, at the cost of a look at each label, and then kept up to date by whoever draws labels.
 */
public final class LabelIndex {
  private final Block[] blocks;

  /**
   * A block's rows.
   *
   * @param marks of each label, 64 rows a word, as far as there are any
   * @param counts how many rows have each label
   */
  private record Block(long[][] marks, int[] counts) {
    static Block of(double[] latents, int width, int slot) {
      Block block = new Block(new long[0][], new int[0]);
      for (int row = 0, i = slot; i < latents.length; row++, i += width) {
        block = block.roomFor((int) latents[i]);
        block.flip((int) latents[i], row, 1);
      }
      return block;
    }

    Block roomFor(int label) {
      if (label < counts.length) {
        return this;
      }
      long[][] more = Arrays.copyOf(marks, label + 1);
      Arrays.fill(more, marks.length, more.length, new long[0]);
      return new Block(more, Arrays.copyOf(counts, label + 1));
    }

    Block copy() {
      return new Block(Stream.of(marks).map(long[]::clone).toArray(long[][]::new), counts.clone());
    }

    void flip(int label, int row, int more) {
      int word = row >> 6;
      if (marks[label].length <= word) {
        marks[label] = Arrays.copyOf(marks[label], Math.max(word + 1, 2 * marks[label].length));
      }
      marks[label][word] ^= 1L << row;
      counts[label] += more;
    }

    int count(int label) {
      return label < counts.length ? counts[label] : 0;
    }
  }

  private LabelIndex(Block[] blocks) {
    this.blocks = blocks;
  }

  /**
   * Creates the index.
   *
   * @param latents the latent values of each block's rows
   * @param width how many latent values a row has
   * @param slot where among them the label is
   */
  static LabelIndex of(double[][] latents, int width, int slot) {
    return new LabelIndex(
        Stream.of(latents).map(of -> Block.of(of, width, slot)).toArray(Block[]::new));
  }

  /** Returns the number of rows with each label. */
  long[] counts() {
    long[] counts = new long[Stream.of(blocks).mapToInt(b -> b.counts.length).max().orElse(0)];
    Arrays.setAll(counts, this::count);
    return counts;
  }

  /** Returns the number of rows with a label. */
  long count(int label) {
    long count = 0;
    for (Block block : blocks) {
      count += block.count(label);
    }
    return count;
  }

  /** Visits the parts of all rows of a label, as {@link Selected#all} would. */
  void visit(int label, int parts, Selected.Visitor visitor) {
    for (int b = 0; b < blocks.length; b++) {
      if (blocks[b].count(label) > 0) {
        long[] marks = blocks[b].marks[label];
        for (int word = 0; word < marks.length; word++) {
          for (long left = marks[word]; left != 0; left &= left - 1) {
            int row = (word << 6) + Long.numberOfTrailingZeros(left);
            for (int part = 0; part < parts; part++) {
              visitor.part(b, row, part);
            }
          }
        }
      }
    }
  }

  /**
   * Visits some parts of a label's rows.
   *
   * @param numbers numbers of the parts among all parts of its rows, ascending
   */
  void visit(int label, int parts, long[] numbers, Selected.Visitor visitor) {
    int block = -1;
    long end = 0;
    int word = 0;
    long passed = 0;
    for (long number : numbers) {
      long rank = number / parts;
      while (rank >= end) {
        block++;
        passed = end;
        end += blocks[block].count(label);
        word = 0;
      }
      long[] marks = blocks[block].marks[label];
      int here = Long.bitCount(marks[word]);
      while (rank >= passed + here) {
        passed += here;
        here = Long.bitCount(marks[++word]);
      }
      long left = marks[word];
      for (long before = passed; before < rank; before++) {
        left &= left - 1;
      }
      visitor.part(block, (word << 6) + Long.numberOfTrailingZeros(left), (int) (number % parts));
    }
  }

  /** Starts changing labels; this index stays unchanged. */
  public Changes change() {
    return new Changes(blocks.clone());
  }

  /** Index derived from another one, whose blocks are copied on change. */
  public static final class Changes {
    private final Block[] blocks;
    private final boolean[] mine;

    private Changes(Block[] blocks) {
      this.blocks = blocks;
      this.mine = new boolean[blocks.length];
    }

    /** Gives a row another label. */
    public void move(int block, int row, int from, int to) {
      if (!mine[block]) {
        mine[block] = true;
        blocks[block] = blocks[block].copy();
      }
      blocks[block] = blocks[block].roomFor(to);
      blocks[block].flip(from, row, -1);
      blocks[block].flip(to, row, 1);
    }

    /** Returns the index. */
    public LabelIndex index() {
      return new LabelIndex(blocks);
    }
  }
}
