package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Which columns of the shaped input are used, and as what: see {@link Columns}. A name is null
 * where there is no such column.
 *
 * @param keys the columns whose values are compared only
 * @param missing what becomes of cells without a value
 */
public record InputColumns(
    String label,
    LabelKind labelKind,
    @Nullable String weight,
    @Nullable String offset,
    @Nullable String trials,
    Keys keys,
    List<Feature> features,
    Columns.Missing missing)
    implements Serializable {
  /**
   * Spark's plans are quadratic in them. {@code prepare} of 1,500 rows of CSV takes 32 s of
   * processor time with 5,000, 51 with 10,000; of 150 rows with 30,000, 91 s, and all of 4 GB.
   */
  private static final int MOST_FEATURES = 10_000;

  /** The columns of draws beside those of coefficients, in lower case. */
  private static final Set<String> RESERVED =
      Set.of("lp__", ".chain", ".iteration", ".draw", ".log_density", ".theta");

  private static final double MICROS_A_DAY = 86_400e6;

  /** Where the metadata of a column of vectors have the names of their elements. */
  public static final String ELEMENTS = "elements";

  /**
   * A feature of the input.
   *
   * @param elements the names of a vector's elements; empty where they have none
   */
  public record Feature(String name, FeatureKind kind, List<String> elements)
      implements Serializable {
    /** Makes a feature whose elements have no names. */
    public Feature(String name, FeatureKind kind) {
      this(name, kind, List.of());
    }
  }

  /**
   * The columns whose values are compared only.
   *
   * @param groupBy whose equal values make rows lie together
   * @param orderBy in whose order they lie then
   * @param groups whose levels groups of rows have effects by
   */
  public record Keys(@Nullable String groupBy, @Nullable String orderBy, List<String> groups)
      implements Serializable {}

  /** Returns the column whose equal values make rows lie together. */
  public @Nullable String groupBy() {
    return keys.groupBy;
  }

  /** Returns the column in whose order rows lie that lie together. */
  public @Nullable String orderBy() {
    return keys.orderBy;
  }

  /** Returns the columns whose levels groups of rows have effects by. */
  public List<String> groups() {
    return keys.groups;
  }

  /** Returns those of these columns whose values are classes and levels, and the label. */
  public InputColumns levelsOnly() {
    return new InputColumns(
        label,
        labelKind,
        null,
        null,
        null,
        new Keys(null, null, List.of()),
        features.stream().filter(of -> of.kind() == FeatureKind.CATEGORICAL).toList(),
        missing);
  }

  /** Returns a column of a table by its exact name, whatever characters that has. */
  public static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /**
   * Finds the columns.
   *
   * @param table the shaped input
   * @param intercept whether there is an intercept, so that there need be no feature
   * @param where what to call the table in messages
   * @throws UserException if a column is absent, double or of a type that cannot be used
   */
  public static InputColumns resolve(
      Dataset<Row> table, Columns columns, Columns.Model model, boolean intercept, String where) {
    Map<String, DataType> types = types(table.schema().fields(), where);
    String label = columns.requiredLabel();
    requireLabel(label, model.labelKind(), require(label, "the label", types, where), where);
    requireNumbers("weight", columns.weight(), types, where);
    requireNumbers("offset", model.offset(), types, where);
    requireNumbers("trials", model.trials(), types, where);
    requireKey("grouped", columns.groupBy(), "the groups", types, where);
    requireKey("ordered", columns.orderBy(), "the order", types, where);
    for (String group : model.groups()) {
      requireKey("grouped", group, "the groups of model.random", types, where);
      if (group.equals(label)) {
        throw UserException.usage(
            "model.random names the label '%s' as a group; name another column".formatted(label));
      }
    }
    List<Feature> features = features(columns, model, types, where);
    if (features.isEmpty() && !intercept) {
      throw UserException.data(where + " has no features and data.intercept is false");
    }
    return new InputColumns(
        label,
        model.labelKind(),
        columns.weight(),
        model.offset(),
        model.trials(),
        new Keys(columns.groupBy(), columns.orderBy(), model.groups()),
        withElements(table, features),
        columns.rules().missing());
  }

  /**
   * Finds the features and the offset alone, of a table that has neither label nor weights, or none
   * that are needed.
   *
   * @throws UserException if a column is absent, double or of a type that cannot be used
   */
  public static InputColumns ofPredictors(
      Dataset<Row> table, Columns columns, Columns.Model model, String where) {
    Map<String, DataType> types = types(table.schema().fields(), where);
    requireNumbers("offset", model.offset(), types, where);
    return new InputColumns(
        columns.requiredLabel(),
        model.labelKind(),
        null,
        model.offset(),
        null,
        new Keys(null, null, List.of()),
        columns.features().isEmpty() ? List.of() : features(columns, model, types, where),
        columns.rules().missing());
  }

  private static List<Feature> features(
      Columns columns, Columns.Model model, Map<String, DataType> types, String where) {
    Set<String> wanted = new LinkedHashSet<>(columns.features());
    if (wanted.isEmpty()) {
      wanted.addAll(types.keySet());
      wanted.remove(columns.label());
      wanted.removeAll(columns.besides(model));
    }
    requireReportable(wanted, where);
    List<Feature> features = new ArrayList<>();
    for (String name : wanted) {
      DataType type = require(name, "the feature", types, where);
      requireFeature(name, columns, model);
      features.add(feature(name, type, columns, where));
    }
    requireEncodings(columns, model, wanted);
    return List.copyOf(features);
  }

  private static Feature feature(String name, DataType type, Columns columns, String where) {
    boolean declared = columns.categorical().containsKey(name);
    boolean days = columns.rules().dates() == Columns.Dates.DAYS && isTime(type);
    return new Feature(
        name, days && !declared ? FeatureKind.NUMERIC : kind(name, type, declared, where));
  }

  /**
   * Returns what a column of a table is as a feature.
   *
   * @throws UserException if it can be none
   */
  public static Feature featureOf(Dataset<Row> table, Columns columns, String name, String where) {
    return feature(name, table.schema().apply(name).dataType(), columns, where);
  }

  /** Returns the features with the names of elements that a table's columns tell. */
  private static List<Feature> withElements(Dataset<Row> table, List<Feature> features) {
    return features.stream()
        .map(
            feature -> {
              Metadata of = table.schema().apply(feature.name()).metadata();
              return of.contains(ELEMENTS)
                  ? new Feature(
                      feature.name(), feature.kind(), List.of(of.getStringArray(ELEMENTS)))
                  : feature;
            })
        .toList();
  }

  /** Returns what a label of this kind is, for messages. */
  public static String needed(LabelKind kind) {
    return switch (kind) {
      case BINARY -> "two classes";
      case CLASSES -> "classes: whole numbers or text";
      case REAL -> "a number";
      case POSITIVE -> "a number above 0";
      case SHARE -> "a number above 0 and below 1";
      case COUNT -> "a count, 0, 1, 2, …";
      case SUCCESSES -> "a number of successes, 0, 1, 2, … up to that of trials";
    };
  }

  private static void requireLabel(String label, LabelKind kind, DataType type, String where) {
    if (VectorCell.isVector(type)) {
      throw UserException.data(
          "the label '" + label + "' of " + where + " is a vector; name one column");
    }
    if (!kind.isClass() && !(type instanceof NumericType)) {
      throw UserException.data(
          ("the label '%s' of %s is of type %s, and this model.family needs %s; name"
                  + " another column, convert it in data.query, or choose another family")
              .formatted(label, where, type.simpleString(), needed(kind)));
    }
  }

  private static void requireNumbers(
      String role, @Nullable String name, Map<String, DataType> types, String where) {
    String named = role.endsWith("s") ? role : role + "s";
    if (name != null && !isNumeric(require(name, "the " + named, types, where))) {
      throw UserException.data(
          "the " + role + " column '" + name + "' of " + where + " holds no numbers");
    }
  }

  private static void requireKey(
      String done, @Nullable String name, String role, Map<String, DataType> types, String where) {
    if (name != null) {
      DataType type = require(name, role, types, where);
      if (!isNumeric(type) && !isText(type) && !isTime(type)) {
        throw UserException.data(
            ("column '%s' of %s is of type %s, by which rows cannot be %s; name a column"
                    + " of numbers, text, dates or times")
                .formatted(name, where, type.simpleString(), done));
      }
    }
  }

  /**
   * Returns the types by name; Spark takes no notice of case, so neither may names differ by it.
   */
  private static Map<String, DataType> types(StructField[] fields, String where) {
    Map<String, DataType> types = new LinkedHashMap<>();
    requireDistinct(Arrays.stream(fields).map(StructField::name).toList(), where);
    for (StructField field : fields) {
      types.put(field.name(), field.dataType());
    }
    return types;
  }

  /**
   * Returns what the columns are for that are named, by their names.
   *
   * @param computed of which columns a formula computes features, the label and the offset; null
   *     without a formula
   */
  public static Map<String, String> roles(
      Columns columns, Columns.Model model, @Nullable Set<String> computed) {
    Map<String, String> roles = new LinkedHashMap<>();
    if (computed == null) {
      roles.put(columns.requiredLabel(), "the label");
    } else {
      computed.forEach(name -> roles.put(name, "model.formula"));
    }
    Stream.of(columns.weight(), model.trials(), columns.groupBy(), columns.orderBy())
        .filter(Objects::nonNull)
        .forEach(name -> roles.putIfAbsent(name, "a key that names it"));
    if (model.offset() != null && computed == null) {
      roles.putIfAbsent(model.offset(), "a key that names it");
    }
    model.groups().forEach(name -> roles.putIfAbsent(name, "a key that names it"));
    columns.features().forEach(name -> roles.putIfAbsent(name, "the feature"));
    columns.categorical().keySet().forEach(name -> roles.putIfAbsent(name, "data.categorical"));
    return roles;
  }

  /**
   * Refuses columns that a table does not have.
   *
   * @param roles what is named, and for what
   * @param names the names of its columns
   * @param where what to call it in messages
   * @throws UserException if one is absent, or two are of one name
   */
  static void requireNames(Map<String, String> roles, List<String> names, String where) {
    requireDistinct(names, where);
    Map<String, DataType> types = new LinkedHashMap<>();
    names.forEach(name -> types.put(name, DataTypes.NullType));
    roles.forEach((name, role) -> require(name, role, types, where));
  }

  /**
   * Refuses roles that do not go together, as far as names tell.
   *
   * @param fixed the columns of a formula's terms; null without a formula, or where it has a "."
   * @throws UserException (usage) if a column has two roles, or an encoding and no use
   */
  public static void requireRoles(
      Columns columns, Columns.Model model, @Nullable Set<String> fixed) {
    for (String group : model.groups()) {
      if (group.equals(columns.label())) {
        throw UserException.usage(
            "model.random names the label '%s' as a group; name another column".formatted(group));
      }
    }
    columns.features().forEach(name -> requireFeature(name, columns, model));
    Set<String> wanted = fixed != null ? fixed : new LinkedHashSet<>(columns.features());
    for (String name : columns.categorical().keySet()) {
      requireEncoded(name, wanted, columns, model, fixed != null || !wanted.isEmpty());
    }
  }

  private static void requireFeature(String name, Columns columns, Columns.Model model) {
    if (name.equals(columns.label())
        || name.equals(columns.weight())
        || name.equals(model.offset())
        || name.equals(model.trials())) {
      throw UserException.usage(
          "column '%s' is the label, the weight or the offset, or the trials, and cannot be a feature as well"
              .formatted(name));
    }
  }

  /**
   * Refuses encodings of columns that are no features.
   *
   * @param features the columns that are, or that a formula computes features of
   * @throws UserException (usage) that names the first such column
   */
  public static void requireEncodings(Columns columns, Columns.Model model, Set<String> features) {
    for (String name : columns.categorical().keySet()) {
      requireEncoded(name, features, columns, model, true);
    }
  }

  /** Refuses the encoding of a column that is no feature. */
  private static void requireEncoded(
      String name, Set<String> wanted, Columns columns, Columns.Model model, boolean all) {
    boolean besides = name.equals(columns.label()) || columns.besides(model).contains(name);
    if (wanted.contains(name) || !(all || besides)) {
      return;
    }
    if (model.groups().contains(name)) {
      throw UserException.usage(
          "data.categorical names '%s', which is a group: the groups of model.random and of (… | %1$s) need no encoding; leave it out of data.categorical"
              .formatted(name));
    }
    throw UserException.usage(
        "data.categorical names '%s', which is no feature%s; %s"
            .formatted(
                name,
                columns.features().isEmpty() && all ? " of model.formula" : "",
                wanted.isEmpty() ? "leave it out" : NearestName.hint(name, wanted)));
  }

  /** Refuses features that cannot be reported under their names, and more than can be planned. */
  private static void requireReportable(Set<String> wanted, String where) {
    if (wanted.size() > MOST_FEATURES) {
      throw UserException.data(
          "%s has %d columns for features, and Spark takes minutes and gigabytes to plan to read more than %d; name fewer in data.features, put them into one column of vectors, or give the table as LibSVM"
              .formatted(where, wanted.size(), MOST_FEATURES));
    }
    for (String name : wanted) {
      if (name.isBlank()) {
        throw UserException.data(
            "a column of %s has %s; name it, or leave it out of data.features"
                .formatted(where, name.isEmpty() ? "no name" : "a blank name"));
      }
      if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
        throw UserException.data(
            "%s has a column '%s', which is what draws are told by; rename it, for instance in data.query"
                .formatted(where, name));
      }
    }
  }

  /**
   * Refuses names of which two are the same.
   *
   * @throws UserException (data) naming both
   */
  public static void requireDistinct(List<String> names, String where) {
    Map<String, Integer> seen = new HashMap<>();
    for (int j = 0; j < names.size(); j++) {
      Integer before = seen.putIfAbsent(names.get(j).toLowerCase(Locale.ROOT), j);
      if (before != null) {
        String named =
            names.get(before).equals(names.get(j))
                ? "both named '%s'"
                : "named '%s' and '%s', alike but for case";
        throw UserException.data(
            "columns %s and %s of %s are %s; rename one"
                .formatted(
                    before + 1, j + 1, where, named.formatted(names.get(before), names.get(j))));
      }
    }
  }

  private static DataType require(
      String name, String role, Map<String, DataType> types, String where) {
    DataType type = types.get(name);
    if (type == null) {
      String only = types.size() == 1 ? types.keySet().iterator().next() : "";
      throw UserException.data(
          "%s has no column '%s' for %s; %s"
              .formatted(
                  where,
                  name,
                  role,
                  only.contains(";") || only.contains("\t")
                      ? "its header is one name with semicolons or tabs in it: write data.csv.separator: \"%s\", or separate by commas"
                          .formatted(only.contains(";") ? ";" : "\\t")
                      : NearestName.hint(name, types.keySet())));
    }
    return type;
  }

  private static FeatureKind kind(String name, DataType type, boolean declared, String where) {
    if (declared && !VectorCell.isVector(type)) {
      return FeatureKind.CATEGORICAL;
    }
    if (isText(type)) {
      return FeatureKind.CATEGORICAL;
    }
    if (!declared && isNumeric(type)) {
      return FeatureKind.NUMERIC;
    }
    if (!declared && VectorCell.isVector(type)) {
      return FeatureKind.VECTOR;
    }
    if (isTime(type)) {
      throw UserException.data(
          ("column '%s' of %s is of type %s; write data.dates: days, which makes it days since"
                  + " 1970-01-01, make what you need of it in data.query, such as YEAR(%s), or"
                  + " leave it out of data.features")
              .formatted(name, where, type.simpleString(), name));
    }
    throw UserException.data(
        ("column '%s' of %s is of type %s, which is no number, text or vector of numbers;"
                + " leave it out of data.features or convert it in data.query")
            .formatted(name, where, type.simpleString()));
  }

  private static boolean isNumeric(DataType type) {
    return type instanceof NumericType || type instanceof BooleanType;
  }

  private static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof CharType || type instanceof VarcharType;
  }

  private static boolean isTime(DataType type) {
    return type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof DateType;
  }

  /**
   * Returns the columns in the order label, weight, offset and trials (if any), features, group and
   * order (if any), groups with effects.
   */
  public Dataset<Row> select(Dataset<Row> table) {
    return table.select(
        Stream.of(
                Stream.of(label, weight, offset, trials)
                    .filter(Objects::nonNull)
                    .map(InputColumns::column),
                features(table),
                Stream.concat(
                        Stream.of(groupBy(), orderBy()).filter(Objects::nonNull), groups().stream())
                    .map(name -> keyed(table, name)))
            .flatMap(part -> part)
            .toArray(Column[]::new));
  }

  /**
   * Returns some columns, the offset, where there is one, and the features, in their order, and
   * more columns.
   */
  public Dataset<Row> withPredictors(Dataset<Row> table, List<String> before, List<String> behind) {
    return table.select(
        Stream.of(
                before.stream().map(InputColumns::column),
                Stream.of(offset).filter(Objects::nonNull).map(InputColumns::column),
                features(table),
                behind.stream().map(InputColumns::column))
            .flatMap(part -> part)
            .toArray(Column[]::new));
  }

  private Stream<Column> features(Dataset<Row> table) {
    return features.stream().map(feature -> feature(table, feature));
  }

  /** Returns a feature's column, dates and times in days if they are to be numbers. */
  private static Column feature(Dataset<Row> table, Feature feature) {
    DataType type = table.schema().apply(feature.name()).dataType();
    Column column = column(feature.name());
    if (feature.kind() != FeatureKind.NUMERIC || !isTime(type)) {
      return column;
    }
    if (type instanceof DateType) {
      return functions.unix_date(column).cast(DataTypes.DoubleType);
    }
    // A time without a zone is taken for one of UTC, as text without an offset is.
    Column instant =
        type instanceof TimestampNTZType
            ? functions.from_utc_timestamp(
                column.cast(DataTypes.TimestampType), functions.current_timezone())
            : column;
    return functions.unix_micros(instant).divide(MICROS_A_DAY);
  }

  /** Returns where the group is in a row of {@link #select}. */
  public int groupAt() {
    return (int) Stream.of(label, weight, offset, trials).filter(Objects::nonNull).count()
        + features.size();
  }

  /** Returns where the first of the groups with effects is in a row of {@link #select}. */
  public int groupsAt() {
    return groupAt() + (groupBy() == null ? 0 : 1) + (orderBy() == null ? 0 : 1);
  }

  /** Returns a column with times as numbers, and dates as the text that sorts as they do. */
  public static Column keyed(Dataset<Row> table, String name) {
    DataType type = table.schema().apply(name).dataType();
    Column column = column(name);
    return type instanceof TimestampType
        ? functions.unix_micros(column)
        : isTime(type) ? column.cast(DataTypes.StringType) : column;
  }
}
