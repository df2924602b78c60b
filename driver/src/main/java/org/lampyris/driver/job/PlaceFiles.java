package org.lampyris.driver.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.rows.RowStates;

/**
 * States of rows as files in a folder, one for each place, written by the tasks that hold the rows;
 * each file starts with a checksum of its bytes (CRC-32C).
 */
record PlaceFiles(SerializableConfiguration conf, String folder) implements RowStates.Store {
  PlaceFiles(Configuration conf, Path folder) {
    this(new SerializableConfiguration(conf), folder.toString());
  }

  private Path file(int place) {
    return new Path(folder, "rows-%05d.bin".formatted(place));
  }

  /** {@inheritDoc} A task that runs twice writes the same twice. */
  @Override
  public void write(int place, byte[] bytes) throws IOException {
    Path file = file(place);
    FileSystem fs = file.getFileSystem(conf.value());
    Path temporary = new Path(folder, "_" + UUID.randomUUID());
    try (OutputStream out = fs.create(temporary, true)) {
      out.write(ByteBuffer.allocate(Long.BYTES).putLong(CheckpointFolder.crc(bytes)).array());
      out.write(bytes);
    }
    if (!fs.rename(temporary, file)) {
      fs.delete(temporary, false);
      if (!fs.exists(file)) {
        throw new IOException(file + " cannot be written");
      }
    }
  }

  @Override
  public byte[] read(int place) throws IOException {
    Path file = file(place);
    try (InputStream in = file.getFileSystem(conf.value()).open(file)) {
      ByteBuffer stored = ByteBuffer.wrap(in.readAllBytes());
      if (stored.remaining() < Long.BYTES) {
        throw damaged(file);
      }
      long crc = stored.getLong();
      byte[] bytes = new byte[stored.remaining()];
      stored.get(bytes);
      if (crc != CheckpointFolder.crc(bytes)) {
        throw damaged(file);
      }
      return bytes;
    }
  }

  private static UserException damaged(Path file) {
    return UserException.data(
        file
            + " is damaged: its content has changed since it was written. Start again with"
            + " --overwrite.");
  }
}
