package org.lampyris.executors.table;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.scale.CoefficientScale;

/**
 * What a prepared table holds and how it came about: the contents of its {@code schema.json}.
 *
 * @param stamp which table it is
 * @param packing how its rows are packed
 * @param roles which columns of the input are no features
 * @param scaling how its columns are made of numbers
 * @param seed the seed of the order of rows
 * @param source where the rows came from
 * @param features the input's columns, in order
 * @param columns the table's columns, in order
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record TableSchema(
    @JsonUnwrapped Stamp stamp,
    @JsonUnwrapped Packing packing,
    @JsonUnwrapped Roles roles,
    @JsonUnwrapped Scaling scaling,
    long seed,
    Source source,
    List<Feature> features,
    List<Column> columns) {
  /** The version of the stored form that this library reads and writes. */
  public static final int VERSION = 3;

  /** The name under which the coefficient of the column of ones is reported. */
  public static final String INTERCEPT = "(Intercept)";

  private static final String FILE = "schema.json";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Which table it is.
   *
   * @param version the version of the stored form, {@link #VERSION}
   * @param libraryVersion the Lampyris that wrote the table
   * @param fingerprint 32 hexadecimal digits: the blocks' bytes, and the names, encoding and scale
   *     of the columns; the order in which blocks are stored does not enter
   */
  public record Stamp(int version, String libraryVersion, String fingerprint) {}

  /**
   * How rows are packed.
   *
   * @param rows N
   * @param blockRows rows of every block but the last; with groups the most that a block has
   * @param blocks how many blocks there are
   * @param layout which elements of a row are stored
   * @param storage how a feature is stored
   */
  public record Packing(long rows, int blockRows, long blocks, Layout layout, Storage storage) {}

  /**
   * Which columns of the input are no features.
   *
   * @param label the label, and its classes if it has any
   * @param weight the column that row weights came from; null without weights
   * @param offset the column that is added to the linear predictor; null without offsets
   * @param grouping what rows lie together; null if nothing does
   */
  public record Roles(
      Label label,
      @Nullable String weight,
      @Nullable String offset,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Grouping grouping) {}

  /**
   * Which rows lie together, in one block.
   *
   * @param groupBy the input's column whose equal values make a group
   * @param orderBy the input's column in whose ascending order the rows of a group lie; null for
   *     none
   * @param groups how many groups there are
   */
  public record Grouping(String groupBy, @Nullable String orderBy, long groups) {}

  /**
   * How columns are made of numbers.
   *
   * @param intercept whether the first column is the column of ones
   * @param standardize none, unit or gelman
   * @param centered whether standardised columns were centred; false without an intercept and for
   *     the sparse layout, whose columns are only scaled
   */
  public record Scaling(boolean intercept, String standardize, boolean centered) {}

  /** How blocks are packed. */
  public enum Layout {
    /** {@link org.lampyris.bounds.block.DenseBlock}. */
    @JsonProperty("dense")
    DENSE,
    /** {@link org.lampyris.bounds.block.SparseBlock}. */
    @JsonProperty("sparse")
    SPARSE
  }

  /** How a feature is stored. Responses, weights and offsets are doubles whatever it says. */
  public enum Storage {
    /** 8 bytes, as it is. */
    @JsonProperty("double")
    DOUBLE,
    /** 4 bytes, rounded by a relative 6·10⁻⁸ at most. */
    @JsonProperty("float")
    FLOAT;

    /** Returns how many bytes a feature takes. */
    public int bytes() {
      return this == FLOAT ? Float.BYTES : Double.BYTES;
    }
  }

  /** What the label is, and so how the response is stored. */
  public enum LabelKind {
    /** Two classes, stored as −1 and +1. */
    @JsonProperty("binary")
    BINARY,
    /** Two or more classes, stored as their indices 0 … K − 1. */
    @JsonProperty("classes")
    CLASSES,
    /** A number. */
    @JsonProperty("real")
    REAL,
    /** A number above 0. */
    @JsonProperty("positive")
    POSITIVE,
    /** A whole number of at least 0. */
    @JsonProperty("count")
    COUNT;

    /** Returns whether the label is one of several classes. */
    public boolean isClass() {
      return this == BINARY || this == CLASSES;
    }
  }

  /**
   * The label.
   *
   * @param column its name in the input
   * @param kind what it is
   * @param classes the names of the classes in ascending order, numbers by value; for a binary
   *     label the one stored as −1 comes first. Empty if the label is a number
   */
  public record Label(String column, LabelKind kind, List<String> classes) {
    /** Copies the list. */
    public Label {
      classes = List.copyOf(classes);
    }
  }

  /**
   * Where the rows came from.
   *
   * @param input the path
   * @param format parquet, csv or libsvm
   * @param query the Spark SQL that shaped it; null for none
   */
  public record Source(String input, String format, @Nullable String query) {}

  /** What an input column is. */
  public enum FeatureKind {
    /** A number. */
    @JsonProperty("numeric")
    NUMERIC,
    /** One of several levels. */
    @JsonProperty("categorical")
    CATEGORICAL,
    /** Several numbers. */
    @JsonProperty("vector")
    VECTOR
  }

  /**
   * A column of the input, and how it becomes columns of the table.
   *
   * @param name its name
   * @param kind what it is
   * @param size how many numbers a vector has; 1 otherwise
   * @param levels the levels of a categorical column in order, the reference among them and the
   *     level that takes in the others last; empty otherwise
   * @param reference the level that has no column; null if not categorical
   * @param other the level that takes in levels that are not listed; null if there is none
   */
  public record Feature(
      String name,
      FeatureKind kind,
      int size,
      List<String> levels,
      @Nullable String reference,
      @Nullable String other) {
    /** Returns how many columns of the table it becomes. */
    public int columns() {
      return kind == FeatureKind.CATEGORICAL ? levels.size() - 1 : size;
    }
  }

  /** What a column of the table is. */
  public enum ColumnKind {
    /** The column of ones. */
    @JsonProperty("intercept")
    INTERCEPT,
    /** A number of the input. */
    @JsonProperty("numeric")
    NUMERIC,
    /** One where a categorical column has a certain level, zero elsewhere. */
    @JsonProperty("level")
    LEVEL
  }

  /**
   * A column of the table. Stored is (x − center) / scale.
   *
   * @param name the name that its coefficient is reported under, for instance "age" or
   *     "country[FR]"
   * @param source the input's column; null for the intercept
   * @param kind what it is
   * @param level the level that it marks; null if it is no level
   * @param reference the level that it is compared with; null if it is no level
   * @param center m
   * @param scale s
   * @param range what x ranges over, on the input's scale
   */
  public record Column(
      String name,
      @Nullable String source,
      ColumnKind kind,
      @Nullable String level,
      @Nullable String reference,
      double center,
      double scale,
      @JsonUnwrapped Range range) {
    /** Returns the smallest x. */
    public double min() {
      return range.min();
    }

    /** Returns the largest x. */
    public double max() {
      return range.max();
    }

    /** Returns the column with another centre and scale. */
    public Column standardized(double newCenter, double newScale) {
      return new Column(name, source, kind, level, reference, newCenter, newScale, range);
    }
  }

  /** The smallest and the largest of some numbers. */
  public record Range(double min, double max) {}

  /** Copies the lists. */
  public TableSchema {
    features = List.copyOf(features);
    columns = List.copyOf(columns);
  }

  /** Returns N. */
  public long rows() {
    return packing.rows();
  }

  /** Returns the rows of every block but the last; with groups the most that a block has. */
  public int blockRows() {
    return packing.blockRows();
  }

  /** Returns how many blocks there are. */
  public long blocks() {
    return packing.blocks();
  }

  /** Returns the label, and its classes if it has any. */
  public Label label() {
    return roles.label();
  }

  /** Returns what rows lie together; null if nothing does. */
  public @Nullable Grouping grouping() {
    return roles.grouping();
  }

  /** Returns the hash that tells one table from another. */
  public String fingerprint() {
    return stamp.fingerprint();
  }

  /** Returns the names that coefficients are reported under, in order. */
  public List<String> columnNames() {
    return columns.stream().map(Column::name).toList();
  }

  /** Returns what carries coefficients between the stored columns and the input's scale. */
  public CoefficientScale coefficientScale() {
    return new CoefficientScale(
        columns.stream().mapToDouble(Column::center).toArray(),
        columns.stream().mapToDouble(Column::scale).toArray(),
        scaling.intercept() ? 0 : -1);
  }

  /** Returns the table with the fingerprint that its blocks have. */
  TableSchema withBlockHash(long blockHash) {
    Stamp print =
        new Stamp(stamp.version(), stamp.libraryVersion(), Fingerprint.of(blockHash, this));
    return new TableSchema(print, packing, roles, scaling, seed, source, features, columns);
  }

  /**
   * Reads the schema of a prepared table.
   *
   * @param folder the table's folder
   * @param conf tells Hadoop how to reach it
   * @throws UserException (data) if there is no prepared table, or one of another version
   */
  public static TableSchema read(String folder, Configuration conf) {
    Path path = new Path(folder, FILE);
    String remedy = "; write the table again with the prepare command";
    try (InputStream in = FileSystem.get(path.toUri(), conf).open(path)) {
      JsonNode tree = JSON.readTree(in);
      int version = tree.path("version").asInt(-1);
      if (version != VERSION) {
        throw UserException.data(
            path
                + " has version "
                + tree.path("version").asText("(none)")
                + ", and this is Lampyris "
                + LibraryVersion.get()
                + ", which reads version "
                + VERSION
                + remedy);
      }
      return JSON.treeToValue(tree, TableSchema.class);
    } catch (JsonProcessingException e) {
      throw UserException.data(path + " is damaged (" + e.getOriginalMessage() + ")" + remedy, e);
    } catch (FileNotFoundException e) {
      throw UserException.data(
          folder + " holds no prepared table (no " + FILE + "); make one with the prepare command",
          e);
    } catch (IOException e) {
      throw StorageProblem.reading(path.toString(), e);
    }
  }

  /**
   * Writes the schema into a table's folder.
   *
   * @throws IOException if it cannot be written
   */
  void write(String folder, Configuration conf) throws IOException {
    Path path = new Path(folder, FILE);
    try (OutputStream out = FileSystem.get(path.toUri(), conf).create(path, false)) {
      out.write(JSON.writeValueAsBytes(this));
    }
  }
}
