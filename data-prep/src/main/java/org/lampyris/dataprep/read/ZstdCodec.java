package org.lampyris.dataprep.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.spark.SparkConf;
import org.apache.spark.io.ZStdCompressionCodec;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code .zst} by the library that Spark brings along. Hadoop's own codec of that name needs
 * a native Hadoop that few machines have. A file is read from its beginning; nothing is written.
 */
public final class ZstdCodec implements CompressionCodec {
  private static final String CODECS = "io.compression.codecs";

  /** Registers this codec in Hadoop for {@code .zst} files. The configuration is modified. */
  public static void addTo(Configuration conf) {
    Set<String> codecs = new LinkedHashSet<>(conf.getTrimmedStringCollection(CODECS));
    if (codecs.add(ZstdCodec.class.getName())) {
      conf.set(CODECS, String.join(",", codecs));
    }
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in) throws IOException {
    return new Plain(new ZStdCompressionCodec(new SparkConf(false)).compressedInputStream(in));
  }

  @Override
  public CompressionInputStream createInputStream(
      InputStream in, @Nullable Decompressor decompressor) throws IOException {
    return createInputStream(in);
  }

  @Override
  @SuppressWarnings("NullAway") // Hadoop takes null for a codec that has no decompressors to pool.
  public Class<? extends Decompressor> getDecompressorType() {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway") // As above.
  public Decompressor createDecompressor() {
    return null;
  }

  @Override
  public String getDefaultExtension() {
    return ".zst";
  }

  @Override
  public CompressionOutputStream createOutputStream(OutputStream out) {
    throw new UnsupportedOperationException("only read");
  }

  @Override
  public CompressionOutputStream createOutputStream(
      OutputStream out, @Nullable Compressor compressor) {
    throw new UnsupportedOperationException("only read");
  }

  @Override
  public Class<? extends Compressor> getCompressorType() {
    throw new UnsupportedOperationException("only read");
  }

  @Override
  public Compressor createCompressor() {
    throw new UnsupportedOperationException("only read");
  }

  /** A stream that has been decompressed. */
  private static final class Plain extends CompressionInputStream {
    Plain(InputStream plain) throws IOException {
      super(plain);
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      return in.read(to, from, length);
    }

    @Override
    public void resetState() {
      throw new UnsupportedOperationException("read once");
    }
  }
}
