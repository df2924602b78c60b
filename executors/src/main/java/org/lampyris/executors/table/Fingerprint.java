package org.lampyris.executors.table;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** Hashes (XXH64) for testing whether two tables have the same content. */
final class Fingerprint {
  private static final char SEPARATOR = '\u001f';

  private Fingerprint() {}

  /** Returns the hash of some bytes, continuing from an earlier hash. */
  static long hash(byte[] bytes, long seed) {
    return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, seed);
  }

  /** Returns a block's share of the table's hash: shares are added up, in any order. */
  static long share(long blockId, long blockHash) {
    return XXH64.hashLong(blockHash, blockId);
  }

  /**
   * Returns the fingerprint.
   *
   * @param blockHash the sum of all shares
   * @param schema the columns' names, encoding and scale enter, the rest does not
   */
  static String of(long blockHash, TableSchema schema) {
    TableSchema.Packing packing = schema.packing();
    StringBuilder text = new StringBuilder();
    text.append(packing.rows()).append(SEPARATOR).append(packing.blockRows()).append(SEPARATOR);
    text.append(schema.label()).append(SEPARATOR).append(packing.layout()).append(SEPARATOR);
    text.append(packing.storage()).append(SEPARATOR);
    text.append(schema.roles().weight() != null).append(SEPARATOR);
    text.append(schema.roles().offset() != null).append(SEPARATOR);
    schema.columns().forEach(column -> text.append(text(column)).append(SEPARATOR));
    schema.levels().forEach(of -> text.append(of.column()).append(SEPARATOR));
    TableSchema.Formula formula = schema.source().formula();
    if (formula != null) {
      text.append(text(formula)).append(SEPARATOR);
    }
    long names = hash(text.toString().getBytes(StandardCharsets.UTF_8), 0);
    return HexFormat.of().toHexDigits(blockHash) + HexFormat.of().toHexDigits(names);
  }

  /**
   * Returns whether a fingerprint matches a schema, as far as can be checked without reading the
   * data.
   */
  static boolean isOf(@Nullable String fingerprint, TableSchema schema) {
    int half = 2 * Long.BYTES;
    return fingerprint != null
        && fingerprint.length() == 2 * half
        && of(0, schema).substring(half).equals(fingerprint.substring(half));
  }

  /** Returns whether a fingerprint matches a schema and blocks whose hash shares have this sum. */
  static boolean isOf(@Nullable String fingerprint, long blockHash, TableSchema schema) {
    return of(blockHash, schema).equals(fingerprint);
  }

  /** Returns a column as tables have been fingerprinted from the first on. */
  private static String text(TableSchema.Column column) {
    return "Column[name=%s, source=%s, kind=%s, level=%s, reference=%s, center=%s, scale=%s, min=%s, max=%s]"
        .formatted(
            column.name(),
            column.source(),
            column.kind(),
            column.level(),
            column.reference(),
            column.center(),
            column.scale(),
            column.min(),
            column.max());
  }

  /** Returns a formula as tables have been fingerprinted before columns were left out of any. */
  private static String text(TableSchema.Formula formula) {
    return "Formula[text=%s, terms=%s, factors=%s, bases=%s]%s"
        .formatted(
            formula.text(),
            formula.terms(),
            formula.factors(),
            formula.bases(),
            formula.leftOut().isEmpty() ? "" : formula.leftOut());
  }
}
