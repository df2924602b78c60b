package org.lampyris.executors.table;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.TableScale;

/**
 * Schema of a prepared table and its origin: the content of its {@code schema.json}.
 *
 * @param seed the seed of the order of rows
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
  public static final int VERSION = 6;

  /**
   * The version without numbers that stand for columns. It is read as well, and written for tables
   * that have none.
   */
  public static final int PLAIN_VERSION = 5;

  /** The name under which the coefficient of the column of ones is reported. */
  public static final String INTERCEPT = ModelOfTable.INTERCEPT;

  /** The file in a table's folder. */
  public static final String FILE = "schema.json";

  /**
   * Identity of a table.
   *
   * @param version the version of the stored form, {@link #VERSION}
   * @param libraryVersion the Lampyris that wrote the table
   * @param fingerprint 32 hexadecimal digits: the blocks' bytes, and the names, encoding and scale
   *     of the columns; the order in which blocks are stored does not enter
   * @param checksum of all that is stored but itself (CRC-32C); null where the schema is not, and
   *     in tables that were written before there was one
   */
  public record Stamp(
      int version,
      String libraryVersion,
      String fingerprint,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String checksum) {
    /** Creates the stamp of a schema that is not stored. */
    public Stamp(int version, String libraryVersion, String fingerprint) {
      this(version, libraryVersion, fingerprint, null);
    }
  }

  /**
   * Packing of rows in blocks.
   *
   * @param rows N
   * @param blockRows rows of every block but the last; with groups the most that a block has
   */
  public record Packing(long rows, int blockRows, long blocks, Layout layout, Storage storage) {}

  /**
   * Columns of the input other than features.
   *
   * @param label the label, and its classes if it has any
   * @param weight the column that row weights came from; null without weights
   * @param offset the column that is added to the linear predictor; null without offsets
   * @param trials the column with the number of trials of the label's successes; null for none
   * @param grouping what rows lie together; null if nothing does
   * @param levels whose levels the rows have the keys of, in the order of a block's groupings; null
   *     for none
   */
  public record Roles(
      Label label,
      @Nullable String weight,
      @Nullable String offset,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String trials,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Grouping grouping,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Levels> levels) {}

  /**
   * A column whose levels groups of rows have effects by.
   *
   * @param column the input's column
   * @param levels how many levels it has
   * @param mostRows how many rows the most frequent level has
   * @param together whether the rows of a level lie together, in one block
   * @param hash of the levels, by {@link LevelTable#hash}; null in tables that were written before
   *     there was one
   */
  public record Levels(
      String column,
      long levels,
      long mostRows,
      boolean together,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long hash) {}

  /**
   * Grouping of rows that lie together, in one block.
   *
   * @param groupBy the input's column whose equal values make a group
   * @param orderBy the input's column in whose ascending order a group's rows lie; null for none
   */
  public record Grouping(String groupBy, @Nullable String orderBy, long groups) {}

  /**
   * Scaling of columns.
   *
   * @param intercept whether the first column is the column of ones
   * @param standardize none, unit or gelman
   * @param centered whether all columns were centred; false without an intercept and for the sparse
   *     layout, where only those far from 0 are
   * @param response the moments of a label that is a number; null for classes
   * @param frequentClass the most frequent class of a label of several classes; null for others
   * @param exposure the mean of exp(offset) over the rows; null without offsets, and in tables that
   *     were written before there was one
   */
  public record Scaling(
      boolean intercept,
      String standardize,
      boolean centered,
      @Nullable Moments response,
      @Nullable String frequentClass,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double exposure) {}

  /** Layout of blocks. */
  public enum Layout {
    /** {@link org.lampyris.bounds.rows.DenseBlock}. */
    DENSE,
    /** {@link org.lampyris.bounds.rows.SparseBlock}. */
    SPARSE
  }

  /** Storage type of a feature. Responses, weights and offsets are doubles whatever it says. */
  public enum Storage {
    /** 8 bytes, unchanged. */
    DOUBLE,
    /** 4 bytes, rounded by a relative 6·10⁻⁸ at most. */
    FLOAT;

    /** Returns how many bytes a feature takes. */
    public int bytes() {
      return this == FLOAT ? Float.BYTES : Double.BYTES;
    }
  }

  /**
   * The label.
   *
   * @param classes the names of the classes in ascending order, numbers by value; for a binary
   *     label the one stored as −1 comes first. Empty if the label is a number
   */
  public record Label(String column, LabelKind kind, List<String> classes) {
    public Label {
      classes = List.copyOf(classes);
    }
  }

  /**
   * Origin of the rows.
   *
   * @param format parquet, csv or libsvm
   * @param query the Spark SQL that shaped it; null for none
   * @param leftOut how many rows were left out, because something was missing in them
   * @param merged how many rows there were before equal ones became one with a weight; null where
   *     none did
   * @param doubts what in the table looks like a slip, in sentences; none in tables that were
   *     written before there were such
   * @param formula what made features of the input's columns; null for none
   * @param earlier the table whose rows come before these; null for none
   */
  public record Source(
      String input,
      String format,
      @Nullable String query,
      long leftOut,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long merged,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> doubts,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Formula formula,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Earlier earlier) {
    /** Copies the list. */
    public Source {
      doubts = List.copyOf(doubts);
    }

    /** Creates the source of a table without a formula or earlier rows. */
    public Source(
        String input,
        String format,
        @Nullable String query,
        long leftOut,
        @Nullable Long merged,
        List<String> doubts) {
      this(input, format, query, leftOut, merged, doubts, null, null);
    }
  }

  /**
   * An earlier prepared table whose rows come first. Its blocks stay where they are; only one that
   * is not full is stored again, with later rows after its own.
   *
   * @param folder its folder
   * @param fingerprint the one that it has to have
   * @param rows how many rows it has
   */
  public record Earlier(String folder, String fingerprint, long rows) {}

  /**
   * Formula that computed features from the input's columns, with its choices that depend on the
   * rows.
   *
   * @param text as it was written
   * @param terms the same with the columns that a "." stood for, and without effects of groups
   * @param factors the levels of factors, by the names that they have in the formula
   * @param bases the numbers that splines and polynomials follow from, by their names
   * @param absent the columns of products that are 0 in every row, and are left out; null in tables
   *     that have none
   * @param smooths its penalised smooths; null in tables that have none
   * @param curves the features whose columns follow from one number, which blocks may store in
   *     their place; null in tables that have none
   */
  public record Formula(
      String text,
      String terms,
      List<Feature> factors,
      List<Basis> bases,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> absent,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Smooth> smooths,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<CurveOf> curves) {
    /** Copies the lists. */
    public Formula {
      factors = List.copyOf(factors);
      bases = List.copyOf(bases);
      absent = absent == null || absent.isEmpty() ? null : List.copyOf(absent);
      smooths = smooths == null || smooths.isEmpty() ? null : List.copyOf(smooths);
      curves = curves == null || curves.isEmpty() ? null : List.copyOf(curves);
    }

    /** Returns the formula with the curves of features whose numbers are stored. */
    public Formula withCurves(List<CurveOf> of) {
      return new Formula(text, terms, factors, bases, absent, smooths, of);
    }

    /** Returns the columns of smooths that are penalised, of which there may be none. */
    public Set<String> penalized() {
      Set<String> names = new LinkedHashSet<>();
      if (smooths != null) {
        smooths.forEach(one -> one.scales().forEach(scale -> names.addAll(scale.columns())));
      }
      return names;
    }

    /** Returns the columns that are left out; may be empty. */
    public List<String> leftOut() {
      return absent == null ? List.of() : absent;
    }
  }

  /**
   * A penalised smooth: the sum of its columns times their coefficients.
   *
   * @param label as mgcv calls it, for instance "s(x)", "s(x):dowMon" or "t2(x, z)"
   * @param term the term of the formula, which is the name of the feature
   * @param variables what it is a function of, as the formula has it
   * @param by the factor or the number that it is by; null for none
   * @param level the level of a factor whose smooth it is; null for none
   * @param columns its columns, those without a penalty first
   * @param scales which columns share a standard deviation
   */
  public record Smooth(
      String label,
      String term,
      List<String> variables,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String by,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String level,
      List<String> columns,
      List<SharedScale> scales) {
    /** Copies the lists. */
    public Smooth {
      variables = List.copyOf(variables);
      columns = List.copyOf(columns);
      scales = List.copyOf(scales);
    }
  }

  /**
   * The curve that a feature's columns follow: a {@link Curve}, with its knots and its matrix.
   *
   * @param feature the feature's name
   */
  public record CurveOf(String feature, double lower, double step, int splines, List<Double> map) {
    /** Copies the list. */
    public CurveOf {
      map = List.copyOf(map);
    }

    /** Returns the curve. */
    Curve curve() {
      return new Curve(lower, step, splines, map.stream().mapToDouble(m -> m).toArray());
    }
  }

  /** The numbers that a spline or polynomials follow from. */
  public record Basis(String name, List<Double> numbers) {
    /** Copies the list. */
    public Basis {
      numbers = List.copyOf(numbers);
    }
  }

  /** Kind of an input column. */
  public enum FeatureKind {
    /** A number. */
    NUMERIC,
    /** One of several levels. */
    CATEGORICAL,
    /** Several numbers. */
    VECTOR
  }

  /**
   * A column of the input, and how it becomes columns of the table.
   *
   * @param size how many numbers a vector has; 1 otherwise
   * @param levels the levels of a categorical column in order, including the reference, with the
   *     level for all others last; for a vector, the names of its elements, if any; empty otherwise
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

  /** Kind of a table column. */
  public enum ColumnKind {
    /** The column of ones. */
    INTERCEPT,
    /** A number of the input. */
    NUMERIC,
    /** 1 if a categorical column has a certain level, otherwise 0. */
    LEVEL,
    /** A function of numbers whose coefficient shares its standard deviation with others. */
    PENALIZED
  }

  /**
   * A column of the table. Stored is x − center.
   *
   * @param name its coefficient's name, for instance "age" or "country[FR]"
   * @param source the input's column; null for the intercept
   * @param level the level that it marks; null if it is no level
   * @param reference the level that it is compared with; null if it is no level
   * @param scale what explicit priors take for 1 of x, as {@code data.standardize} has it
   * @param range what x ranges over, on the input's scale
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Column(
      String name,
      @Nullable String source,
      ColumnKind kind,
      @Nullable String level,
      @Nullable String reference,
      double center,
      double scale,
      @JsonUnwrapped Range range) {
    /** Relative rounding of a variance. */
    private static final double ROUNDING = 1e-9;

    /** Returns the column of ones. */
    public static Column intercept() {
      return new Column(INTERCEPT, null, ColumnKind.INTERCEPT, null, null, 0, 1, new Range(1, 1));
    }

    /** Returns the smallest x. */
    public double min() {
      return range.min();
    }

    /** Returns the largest x. */
    public double max() {
      return range.max();
    }

    /**
     * Returns what default priors take for 1 of x: its standard deviation, or half the distance of
     * two values if it has no others. That of an earlier table stays.
     *
     * <p>Of all numbers within a range that have a certain mean, those at its ends have the largest
     * variance. A standard deviation would be small for a level of few rows, and the prior of its
     * coefficient so wide that it says nothing. Source: Gelman, Jakulin, Pittau and Su (2008), who
     * scale columns of two values by their distance.
     */
    public double size() {
      if (range.size() != null) {
        return range.size();
      }
      double width = max() - min();
      double sd = moments().sd();
      double most = (moments().mean() - min()) * (max() - moments().mean());
      return most > 0 && sd * sd >= most * (1 - ROUNDING) ? width / 2 : sd;
    }

    /** Returns the mean and the standard deviation of x. */
    public Moments moments() {
      return range.moments();
    }

    /** Returns the column with another centre and scale, and moments. */
    public Column standardized(double newCenter, double newScale, Moments moments) {
      Range known = new Range(min(), max(), moments);
      return new Column(name, source, kind, level, reference, newCenter, newScale, known);
    }

    /**
     * Returns the column of other rows, whose range is another: all that priors depend on stays.
     */
    public Column over(double min, double max) {
      Range other = new Range(min, max, moments(), size());
      return new Column(name, source, kind, level, reference, center, scale, other);
    }
  }

  /**
   * The smallest and the largest of some numbers, their mean and their standard deviation.
   *
   * @param size what default priors take for 1, if an earlier table determines it
   */
  public record Range(
      double min,
      double max,
      @JsonUnwrapped Moments moments,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double size) {
    /** Creates the range of numbers with unknown moments. */
    public Range(double min, double max) {
      this(min, max, Moments.STANDARD);
    }

    /** Creates the range of numbers that no earlier table has. */
    public Range(double min, double max, Moments moments) {
      this(min, max, moments, null);
    }
  }

  /** Copies the lists; a stored schema that lacks its source is damaged. */
  public TableSchema {
    Objects.requireNonNull(source, "source");
    features = List.copyOf(features);
    columns = List.copyOf(columns);
  }

  /** Returns N. */
  public long rows() {
    return packing.rows();
  }

  /** Returns the number of the first row that does not come from an earlier table. */
  public long firstLater() {
    return source.earlier() == null ? 0 : source.earlier().rows();
  }

  /** Returns the number of rows of the input, without dropped ones. */
  public long inputRows() {
    Long merged = source.merged();
    return merged == null ? rows() : merged;
  }

  /** Returns the rows of every block but the last; with groups the most that a block has. */
  public int blockRows() {
    return packing.blockRows();
  }

  /** Returns the number of blocks. */
  public long blocks() {
    return packing.blocks();
  }

  /** Returns the label, and its classes if it has any. */
  public Label label() {
    return roles.label();
  }

  /** Returns the grouping of rows that lie together; null for none. */
  public @Nullable Grouping grouping() {
    return roles.grouping();
  }

  /** Returns whose levels the rows have the keys of, in the order of a block's groupings. */
  public List<Levels> levels() {
    return roles.levels() == null ? List.of() : roles.levels();
  }

  /** Returns the penalised smooths; none unless the table's formula has such. */
  public List<Smooth> smooths() {
    Formula formula = source.formula();
    return formula == null || formula.smooths() == null ? List.of() : formula.smooths();
  }

  /** Returns which columns have coefficients of one standard deviation, which is drawn too. */
  public List<SharedScale> sharedScales() {
    return smooths().stream().flatMap(smooth -> smooth.scales().stream()).toList();
  }

  /** Returns the columns of monotonic effects; none unless the table's formula has such. */
  public List<MonotonicColumns> monotonic() {
    Formula formula = source.formula();
    return formula == null
        ? List.of()
        : formula.factors().stream()
            .filter(of -> of.name().startsWith("mo("))
            .map(of -> MonotonicColumns.of(of.name(), of.levels()))
            .flatMap(of -> of.among(columnNames()).stream())
            .toList();
  }

  /** Returns the hash that identifies the table. */
  public String fingerprint() {
    return stamp.fingerprint();
  }

  /** Returns the names that coefficients are reported under, in order. */
  public List<String> columnNames() {
    return columns.stream().map(Column::name).toList();
  }

  /** Returns the conversion of coefficients between stored and input columns. */
  public ColumnCenters centers() {
    return new ColumnCenters(
        columns.stream().mapToDouble(Column::center).toArray(), scaling.intercept() ? 0 : -1);
  }

  /** Returns the scale of the table, for priors that depend on it. */
  public TableScale tableScale() {
    return new TableScale(
        centers(),
        columns.stream().map(Column::scale).toList(),
        columns.stream().map(Column::moments).toList(),
        columns.stream().map(Column::size).toList(),
        scaling.response(),
        scaling.frequentClass(),
        scaling.exposure());
  }

  /** Returns the table with the fingerprint that its blocks have. */
  TableSchema withBlockHash(long blockHash) {
    return with(
        new Stamp(stamp.version(), stamp.libraryVersion(), Fingerprint.of(blockHash, this)));
  }

  private TableSchema with(Stamp other) {
    return new TableSchema(other, packing, roles, scaling, seed, source, features, columns);
  }

  /** Returns the table with the checksum that it is stored with; null for none. */
  TableSchema withChecksum(@Nullable String checksum) {
    return with(new Stamp(stamp.version(), stamp.libraryVersion(), stamp.fingerprint(), checksum));
  }

  /**
   * Reads the schema of a prepared table.
   *
   * @throws UserException (data) if there is no prepared table, or one of another version
   */
  public static TableSchema read(String folder, Configuration conf) {
    return SchemaFile.read(folder, conf);
  }

  /**
   * Writes the schema into a table's folder.
   *
   * @throws IOException if it cannot be written
   */
  void write(String folder, Configuration conf) throws IOException {
    SchemaFile.write(this, folder, conf);
  }
}
