package org.lampyris.executors.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import java.io.IOException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/** The file {@code schema.json} of a prepared table, with its fingerprint and checksum. */
final class SchemaFile {
  /**
   * Document with enum constants in lower case; a label's kind comes from a module without JSON.
   */
  private static final StoredDocument STORED =
      new StoredDocument(
          FlatJson.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
              .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
              .build(),
          TableSchema.FILE,
          TableSchema.VERSION,
          TableSchema.PLAIN_VERSION,
          "%s has version %s, and this is Lampyris %s, which reads version %s",
          "%s holds no prepared table (no schema.json). Write one with the prepare command.",
          "write the table again with the prepare command");

  private SchemaFile() {}

  /** Returns the checksum of a schema stored without one. */
  private static String checksum(TableSchema schema) {
    CRC32C checksum = new CRC32C();
    try {
      checksum.update(STORED.json().writeValueAsBytes(schema.withChecksum(null)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    return HexFormat.of().toHexDigits((int) checksum.getValue());
  }

  /**
   * Reads the schema of a prepared table.
   *
   * @throws UserException (data) if there is no prepared table, or one of another version
   */
  static TableSchema read(String folder, Configuration conf) {
    TableSchema schema = STORED.read(folder, conf, TableSchema.class);
    if (!Fingerprint.isOf(schema.fingerprint(), schema)) {
      throw UserException.data(
          "%s has changed since it was written, or was only partly written: its fingerprint %s does not match its content. Run prepare again."
              .formatted(new Path(folder, STORED.file()), schema.fingerprint()));
    }
    String stored = schema.stamp().checksum();
    if (stored != null && !stored.equals(checksum(schema))) {
      throw UserException.data(
          "%s has changed since it was written: its checksum %s does not match its content. Run prepare again."
              .formatted(new Path(folder, STORED.file()), stored));
    }
    return schema.withChecksum(null);
  }

  /**
   * Reads the schema of the table whose rows come before a table's own.
   *
   * @throws UserException (data) if it is not there any more, or another one now
   */
  static TableSchema readEarlier(String folder, TableSchema.Earlier earlier, Configuration conf) {
    String reason;
    try {
      TableSchema schema = read(earlier.folder(), conf);
      if (schema.fingerprint().equals(earlier.fingerprint())) {
        return schema;
      }
      reason = "that table has changed: its fingerprint is " + schema.fingerprint();
    } catch (UserException e) {
      reason = e.getMessage();
    }
    throw UserException.data(
        "the first %,d rows of %s are in the prepared table %s, with fingerprint %s, which is not available (%s). Restore it, or prepare all rows again."
            .formatted(earlier.rows(), folder, earlier.folder(), earlier.fingerprint(), reason));
  }

  /**
   * Writes a schema into a table's folder.
   *
   * @throws IOException if it cannot be written
   */
  static void write(TableSchema schema, String folder, Configuration conf) throws IOException {
    STORED.write(folder, conf, schema.withChecksum(checksum(schema)));
  }
}
