package org.lampyris.driver.job;

import java.io.DataInput;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.AtomicMove;
import org.lampyris.samplers.rows.RowStates;

/**
 * States of rows as files in a folder, one for each place, written by the tasks that hold the rows;
 * each file starts with the number of its bytes and their checksum (CRC-32C).
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
    ByteBuffer all = ByteBuffer.allocate(2 * Long.BYTES + bytes.length);
    all.putLong(bytes.length).putLong(FileCheck.of(bytes).crc()).put(bytes);
    AtomicMove.write(conf.value(), file(place), all.array());
  }

  @Override
  public byte[] read(int place) throws IOException {
    Path file = file(place);
    FileSystem fs = file.getFileSystem(conf.value());
    try (FSDataInputStream in = fs.open(file)) {
      FileCheck check = check(in);
      // The length is checked before there is an array for it.
      if (check.bytes() != fs.getFileStatus(file).getLen() - 2 * Long.BYTES) {
        throw damaged(file);
      }
      byte[] bytes = new byte[Math.toIntExact(check.bytes())];
      in.readFully(bytes);
      if (!FileCheck.of(bytes).equals(check)) {
        throw damaged(file);
      }
      return bytes;
    } catch (EOFException | ArithmeticException e) {
      throw damaged(file);
    }
  }

  private static FileCheck check(DataInput in) throws IOException {
    return new FileCheck(in.readLong(), in.readLong());
  }

  /** Returns what is wrong with a place's file, in words that name it; empty if nothing is. */
  Optional<String> damage(int place) {
    try {
      read(place);
      return Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.of(file(place).getName() + " is missing");
    } catch (UserException e) {
      return Optional.of(
          "the content of %s has changed since it was written".formatted(file(place).getName()));
    } catch (IOException e) {
      return Optional.of(
          file(place).getName()
              + " cannot be read: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static UserException damaged(Path file) {
    return UserException.data(
        "%s is damaged: its content has changed since it was written. Repeat the command with --resume, which then uses the checkpoint before it."
            .formatted(file));
  }
}
