package org.lampyris.dataprep.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.SerializableConfiguration;
import org.lampyris.dataprep.read.SelectedRows.Piece;

/**
 * Look through text, as bytes, for lines with an odd number of quotes and for lines that are not
 * UTF-8. Most tables have neither quotes nor other characters than ASCII, which eight bytes at a
 * time show.
 *
 * @param ofUtf8 whether lines should be UTF-8
 */
record OddLines(boolean ofUtf8) implements Serializable {
  /** There is a line with an odd number of quotes. */
  static final int QUOTED = 1;

  /** There is a line that is not UTF-8. */
  static final int FOREIGN = 2;

  /**
   * The lines of a task begin in so many bytes. A compressed file is looked through by one task.
   */
  private static final long PART = 64L << 20;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH = 0x8080808080808080L;
  private static final long LOW = 0x0101010101010101L;
  private static final long QUOTES = '"' * LOW;

  /** Returns the sum of what there is, looked for in this process, in small files. */
  int here(InputFiles files) throws IOException {
    int found = 0;
    for (Path file : files.files()) {
      found |= in(new Piece(file.toString(), 0), files.conf());
    }
    return found;
  }

  /** Returns the sum of what there is, looked for in a job. */
  int by(SparkSession spark, InputFiles files) throws IOException {
    CompressionCodecFactory codecs = new CompressionCodecFactory(files.conf());
    List<Piece> parts = new ArrayList<>();
    List<String> compressed = new ArrayList<>();
    for (Path file : files.files()) {
      CompressionCodec codec = codecs.getCodec(file);
      if (codec instanceof SplittableCompressionCodec) {
        compressed.add(file.toString());
      } else {
        long size = file.getFileSystem(files.conf()).getFileStatus(file).getLen();
        long step = codec == null ? PART : Math.max(1, size);
        for (long from = 0; from < size; from += step) {
          parts.add(new Piece(file.toString(), from));
        }
      }
    }
    int found = 0;
    if (!parts.isEmpty()) {
      SerializableConfiguration conf = new SerializableConfiguration(files.conf());
      found =
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(parts, parts.size())
              .map(part -> in(part, conf.value()))
              .fold(0, (a, b) -> a | b);
    }
    if (!compressed.isEmpty()) {
      found |=
          InputFiles.reader(spark)
              .text(compressed.toArray(String[]::new))
              .queryExecution()
              .toRdd()
              .toJavaRDD()
              .mapPartitions(lines -> List.of(in(lines)).iterator())
              .fold(0, (a, b) -> a | b);
    }
    return found;
  }

  private int in(Iterator<InternalRow> lines) {
    Look look = new Look(ofUtf8);
    while (look.found != look.all && lines.hasNext()) {
      byte[] line = lines.next().getBinary(0);
      look.bytes(line, 0, line.length);
      look.endLine();
    }
    return look.found;
  }

  private int in(Piece part, Configuration conf) throws IOException {
    Path path = new Path(part.file);
    CompressionCodec codec = new CompressionCodecFactory(conf).getCodec(path);
    try (FSDataInputStream open = path.getFileSystem(conf).open(path)) {
      if (codec == null) {
        open.seek(Math.max(0, part.start - 1));
        return in(open, part.start, part.start + PART);
      }
      try (InputStream text = codec.createInputStream(open)) {
        return in(text, 0, Long.MAX_VALUE);
      } catch (IOException e) {
        // Alone, for messages show the first cause, which does not name the file.
        throw new IOException(path + " cannot be decompressed: " + e.getMessage());
      }
    }
  }

  /**
   * Returns the sum of what there is in the lines that begin at {@code from … to − 1}.
   *
   * @param text begins with the byte before these, which may end a line, or at 0
   */
  int in(InputStream text, long from, long to) throws IOException {
    Look look = new Look(ofUtf8);
    look.lines(text, from, to);
    return look.found;
  }

  /** State of a look: what it has found, and what the current line has so far. */
  private static final class Look {
    final int all;
    int found;
    private final boolean ofUtf8;

    /** Whether the line has an odd number of quotes so far. */
    private boolean open;

    /** How many bytes of a character are missing, and between which values the next one is. */
    private int missing;

    private int least = 0x80;
    private int most = 0xBF;

    Look(boolean ofUtf8) {
      this.ofUtf8 = ofUtf8;
      all = ofUtf8 ? QUOTED | FOREIGN : QUOTED;
    }

    /** See {@link OddLines#in(InputStream, long, long)}. */
    void lines(InputStream text, long from, long to) throws IOException {
      byte[] buffer = new byte[1 << 16];
      boolean before = from > 0;
      byte last = '\n';
      long at = Math.max(0, from - 1);
      for (int size = text.read(buffer); size >= 0; size = text.read(buffer)) {
        int k = 0;
        while (before && k < size) {
          last = buffer[k++];
          before = !isEnd(last);
        }
        // Whole stretches as long as a line may begin, then what the last line still has.
        int sure = (int) Math.max(k, Math.min(size, to - at));
        if (sure > k) {
          bytes(buffer, k, sure);
          last = buffer[sure - 1];
        }
        for (k = sure; k < size && !isEnd(last); k++) {
          last = buffer[k];
          bytes(buffer, k, k + 1);
        }
        at += size;
        boolean after = at >= to;
        if (found == all || ((k < size || after) && isEnd(last)) || (before && after)) {
          return;
        }
      }
      endLine();
    }

    private static boolean isEnd(byte b) {
      return b == '\n' || b == '\r';
    }

    /** Looks through the bytes {@code from … to − 1}. */
    void bytes(byte[] text, int from, int to) {
      long outside = ofUtf8 ? HIGH : 0;
      int k = from;
      while (k < to) {
        if (!open && missing == 0 && k + Long.BYTES <= to) {
          long eight = (long) LONGS.get(text, k);
          long quotes = eight ^ QUOTES;
          if ((((quotes - LOW) & ~quotes & HIGH) | (eight & outside)) == 0) {
            k += Long.BYTES;
            continue;
          }
        }
        int end = Math.min(to, k + Long.BYTES);
        for (; k < end; k++) {
          one(text[k]);
        }
      }
    }

    private void one(byte b) {
      if (isEnd(b)) {
        endLine();
      } else if (b == '"') {
        open = !open;
      }
      if (ofUtf8 && (b < 0 || missing > 0)) {
        character(b & 0xFF);
      }
    }

    /** Follows a character of several bytes, as the Unicode Standard has them in table 3-7. */
    private void character(int b) {
      if (missing > 0) {
        boolean next = b >= least && b <= most;
        missing = next ? missing - 1 : 0;
        found |= next ? 0 : FOREIGN;
        least = 0x80;
        most = 0xBF;
        return;
      }
      missing = b >= 0xF0 ? 3 : b >= 0xE0 ? 2 : 1;
      found |= b < 0xC2 || b > 0xF4 ? FOREIGN : 0;
      least = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
      most = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
    }

    void endLine() {
      found |= (open ? QUOTED : 0) | (missing > 0 ? FOREIGN : 0);
      open = false;
      missing = 0;
    }
  }
}
