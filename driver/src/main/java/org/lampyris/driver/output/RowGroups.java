package org.lampyris.driver.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.lampyris.executors.table.ParquetFile;

/**
 * The columns of a file, row group by row group. Pages of numbers without missing values are built
 * here, from an array. The library's column writer would pass each number through levels, sizes and
 * buffers that are the same for all. It writes the other columns.
 */
@SuppressWarnings("deprecation") // the Parquet of Spark 3.5 has this constructor alone
final class RowGroups {
  /** About how many bytes of rows are in memory at most. */
  static final long SIZE = 16L << 20;

  /** Numbers in a page, 64 KiB, unless rows are too wide. */
  private static final int PAGE = 1 << 13;

  private final MessageType schema;
  private final ParquetFileWriter file;
  private final CodecFactory codecs;
  private final ParquetProperties properties;
  private final List<ColumnDescriptor> numbers = new ArrayList<>();
  private final List<ColumnDescriptor> others = new ArrayList<>();

  /** For each column, the numbers that do not fill a page yet. */
  private final double[][] page;

  private final ByteBuffer bytes;
  private final int pageRows;
  private int rowsInPage;
  private long rows;
  private ColumnChunkPageWriteStore pages;
  private ColumnWriteStore store;
  private ColumnWriter[] writers;

  RowGroups(MessageType schema, ParquetFileWriter file, CodecFactory codecs) {
    this.schema = schema;
    this.file = file;
    this.codecs = codecs;
    // Draws are hardly ever equal: looking for those that are would take most of the time.
    ParquetProperties.Builder builder = ParquetProperties.builder().withDictionaryEncoding(false);
    for (ColumnDescriptor column : schema.getColumns()) {
      PrimitiveType type = column.getPrimitiveType();
      (isNumbers(type) ? numbers : others).add(column);
      // Counts often are; to the library a name with a dot is a path, and no column's.
      if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT64) {
        builder.withDictionaryEncoding(type.getName(), true);
      }
    }
    properties = builder.build();
    long fit = SIZE / 4 / Double.BYTES / Math.max(1, numbers.size());
    pageRows = (int) Math.max(1, Math.min(fit, PAGE));
    page = new double[numbers.size()][pageRows];
    bytes = ByteBuffer.allocate(pageRows * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    begin();
  }

  /** Returns whether a column holds numbers without missing values. */
  static boolean isNumbers(PrimitiveType type) {
    return type.getPrimitiveTypeName() == PrimitiveTypeName.DOUBLE
        && type.isRepetition(Type.Repetition.REQUIRED);
  }

  private void begin() {
    rows = 0;
    pages =
        new ColumnChunkPageWriteStore(
            codecs.getCompressor(CompressionCodecName.SNAPPY),
            schema,
            HeapByteBufferAllocator.getInstance(),
            properties.getColumnIndexTruncateLength(),
            properties.getPageWriteChecksumEnabled());
    List<Type> types = new ArrayList<>();
    others.forEach(column -> types.add(column.getPrimitiveType()));
    store = properties.newColumnWriteStore(new MessageType(schema.getName(), types), pages);
    writers = others.stream().map(store::getColumnWriter).toArray(ColumnWriter[]::new);
  }

  /** Sets a number of the next row, of the columns {@link #isNumbers of numbers}, from 0. */
  void set(int column, double number) {
    page[column][rowsInPage] = number;
  }

  /** Returns the writer for the next row's cell of another column, from 0. */
  ColumnWriter writer(int column) {
    return writers[column];
  }

  /** Ends a row, all of whose cells are there. */
  void endRow() throws IOException {
    store.endRecord();
    rows++;
    rowsInPage++;
    if (rowsInPage == pageRows) {
      endPage();
      long next = (long) pageRows * numbers.size() * Double.BYTES;
      if (size() + 2 * next > SIZE) {
        flush();
      }
    }
  }

  private long size() {
    long size = store.getBufferedSize();
    for (ColumnDescriptor column : numbers) {
      size += pages.getPageWriter(column).getMemSize();
    }
    return size;
  }

  private void endPage() throws IOException {
    for (int k = 0; k < page.length; k++) {
      ColumnDescriptor column = numbers.get(k);
      Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
      for (int i = 0; i < rowsInPage; i++) {
        statistics.updateStats(page[k][i]);
      }
      bytes.asDoubleBuffer().put(page[k], 0, rowsInPage);
      PageWriter to = pages.getPageWriter(column);
      to.writePage(
          BytesInput.from(bytes.array(), 0, rowsInPage * Double.BYTES),
          rowsInPage,
          rowsInPage,
          statistics,
          Encoding.RLE, // of levels, which none has
          Encoding.RLE,
          Encoding.PLAIN);
    }
    rowsInPage = 0;
  }

  /** Writes the rows that are in memory as a row group. */
  void flush() throws IOException {
    if (rows == 0) {
      return;
    }
    if (rowsInPage > 0) {
      endPage();
    }
    file.startBlock(rows);
    store.flush();
    pages.flushToFileWriter(file);
    file.endBlock();
    store.close();
    ParquetFile.release(pages);
    begin();
  }
}
