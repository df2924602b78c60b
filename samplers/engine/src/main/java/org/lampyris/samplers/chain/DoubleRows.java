package org.lampyris.samplers.chain;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Rows of equally many numbers, 8 bytes each: in memory, or, on request, in a temporary file beyond
 * {@value #IN_MEMORY} numbers, which vanishes with the process, however that ends. Rows that are
 * there may be read by several threads while none is added.
 */
final class DoubleRows implements Serializable {
  /** 2 MiB. */
  static final int IN_MEMORY = 1 << 18;

  /** Numbers read at once in sequential reads: 64 KiB. */
  private static final int READ_AHEAD = 1 << 13;

  private static final long serialVersionUID = 1;

  private final boolean overflows;
  private transient double[] memory = new double[16];
  private transient int width;
  private transient int size;

  /** Number of rows in the file; the following ones are in memory. */
  private transient int inFile;

  private transient @Nullable FileChannel file;

  /** Begins without a row; the first one settles how many numbers a row has. */
  DoubleRows(boolean overflows) {
    this.overflows = overflows;
  }

  int size() {
    return size;
  }

  void add(double... row) {
    reserve(row.length, 1);
    System.arraycopy(row, 0, memory, (size - inFile) * width, width);
    size++;
  }

  /** Adds all rows of another, which is not modified. */
  void addAll(DoubleRows others) {
    if (others.file == null && others.size > 0) {
      reserve(others.width, others.size);
      System.arraycopy(
          others.memory, 0, memory, (size - inFile) * width, others.size * others.width);
      size += others.size;
    } else {
      others.iterator(0, row -> row).forEachRemaining(this::add);
    }
  }

  /** Returns a row, from 0: a copy. */
  double[] get(int row) {
    if (row < 0 || row >= size) {
      throw new IndexOutOfBoundsException(row);
    }
    return row < inFile
        ? fromFile(row, 1).array()
        : Arrays.copyOfRange(memory, (row - inFile) * width, (row - inFile + 1) * width);
  }

  /**
   * Returns something of the rows from one on, in order. Those in the file are read many at once.
   *
   * @param part is given each row, as a copy
   */
  <T> Iterator<T> iterator(int first, Function<double[], T> part) {
    return new Iterator<T>() {
      private int next = first;
      private DoubleBuffer ahead = DoubleBuffer.allocate(0);

      @Override
      public boolean hasNext() {
        return next < size;
      }

      @Override
      public T next() {
        if (next >= inFile) {
          return part.apply(get(next++));
        }
        if (!ahead.hasRemaining()) {
          int rows = Math.min(inFile - next, Math.max(1, READ_AHEAD / width));
          ahead = fromFile(next, rows);
        }
        next++;
        double[] row = new double[width];
        ahead.get(row);
        return part.apply(row);
      }
    };
  }

  /** Reserves memory for further rows. */
  private void reserve(int columns, int rows) {
    if (size == 0) {
      width = columns;
    } else if (columns != width) {
      throw new IllegalArgumentException(columns + " numbers in a row, of " + width);
    }
    if (overflows && (size - inFile) * (long) width >= IN_MEMORY) {
      overflow();
    }
    long needed = (size - inFile + (long) rows) * width;
    if (needed > memory.length) {
      long grown = Math.max(needed, memory.length + memory.length / 2L);
      memory = Arrays.copyOf(memory, Math.toIntExact(Math.min(grown, Integer.MAX_VALUE - 8L)));
    }
  }

  private void overflow() {
    ByteBuffer bytes = ByteBuffer.allocate((size - inFile) * width * Double.BYTES);
    bytes.asDoubleBuffer().put(memory, 0, (size - inFile) * width);
    try {
      FileChannel to = file;
      if (to == null) {
        Path path = Files.createTempFile("lampyris-draws-", ".bin");
        to =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE); // on Unix it has no name from here on
        file = to;
      }
      long position = position(inFile);
      while (bytes.hasRemaining()) {
        position += to.write(bytes, position);
      }
    } catch (IOException e) {
      throw UserException.usage(
          ("draws cannot be written to the temporary folder %s: %s. Free some space, or set a"
                  + " larger folder by --driver-java-options -Djava.io.tmpdir=…. Then give the"
                  + " command again.")
              .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
          e);
    }
    inFile = size;
  }

  private long position(int row) {
    return (long) row * width * Double.BYTES;
  }

  private DoubleBuffer fromFile(int row, int rows) {
    ByteBuffer bytes = ByteBuffer.allocate(rows * width * Double.BYTES);
    try {
      FileChannel from = file;
      while (from != null && bytes.hasRemaining()) {
        if (from.read(bytes, position(row) + bytes.position()) < 0) {
          throw new IOException("it is truncated");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("temporary draws cannot be read", e);
    }
    double[] numbers = new double[rows * width];
    bytes.flip().asDoubleBuffer().get(numbers);
    return DoubleBuffer.wrap(numbers);
  }

  /** Writes all rows; after reading they are in memory. */
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeInt(width);
    out.writeInt(size);
    for (Iterator<double[]> rows = iterator(0, row -> row); rows.hasNext(); ) {
      for (double number : rows.next()) {
        out.writeDouble(number);
      }
    }
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    width = in.readInt();
    size = in.readInt();
    if (width < 0 || size < 0) {
      throw new InvalidObjectException(size + " rows of " + width);
    }
    memory = new double[Math.max(16, Math.multiplyExact(width, size))];
    for (int i = 0; i < width * size; i++) {
      memory[i] = in.readDouble();
    }
  }
}
