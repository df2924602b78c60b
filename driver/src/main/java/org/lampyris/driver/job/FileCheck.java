package org.lampyris.driver.job;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Size of a file and a check on its bytes.
 *
 * @param bytes how many there are
 * @param crc their CRC-32C
 */
record FileCheck(long bytes, long crc) {
  /** Returns the check of bytes. */
  static FileCheck of(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return new FileCheck(bytes.length, crc.getValue());
  }

  /** Returns the check of a file, which is read once. */
  static FileCheck of(FileSystem fs, Path file) throws IOException {
    CRC32C crc = new CRC32C();
    long bytes = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = fs.open(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        crc.update(buffer, 0, n);
        bytes += n;
      }
    }
    return new FileCheck(bytes, crc.getValue());
  }

  /** Returns what is wrong with a file, in words that name it; empty if it is as it was. */
  Optional<String> damage(FileSystem fs, Path file) throws IOException {
    String name = file.getParent().getName() + "/" + file.getName();
    try {
      long length = fs.getFileStatus(file).getLen();
      if (length != bytes) {
        return Optional.of("%s has %,d bytes instead of %,d".formatted(name, length, bytes));
      }
      return of(fs, file).equals(this)
          ? Optional.empty()
          : Optional.of("the content of %s has changed since it was written".formatted(name));
    } catch (FileNotFoundException e) {
      return Optional.of(name + " is missing");
    }
  }
}
