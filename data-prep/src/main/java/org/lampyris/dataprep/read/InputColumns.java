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
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
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
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Used columns of the input after the query, with their roles: see {@link Columns}. A name is null
 * where there is no such column.
 *
 * @param classes classes that the label has besides those that occur
 * @param zeros the parameter of the model that only labels of 0 tell anything about
 * @param keys the columns whose values are compared only
 * @param missing what becomes of cells without a value
 */
public record InputColumns(
    String label,
    LabelKind labelKind,
    List<String> classes,
    @Nullable String zeros,
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

  /** Columns of draws other than coefficients, in lower case. */
  private static final Set<String> RESERVED =
      Set.of("lp__", ".chain", ".iteration", ".draw", ".log_density", ".theta");

  private static final double MICROS_A_DAY = 86_400e6;

  /** Metadata key for the names of a vector's elements. */
  public static final String ELEMENTS = "elements";

  /** Metadata key for the feature that a column holds, where the two differ in name. */
  public static final String FEATURE = "feature";

  /**
   * A feature of the input.
   *
   * @param column the table's column that holds it
   * @param elements the names of a vector's elements; empty where they have none
   * @param curve of a vector that a number stands for, its elements; null where cells are vectors
   */
  public record Feature(
      String name, String column, FeatureKind kind, List<String> elements, @Nullable Curve curve)
      implements Serializable {}

  /** Returns the columns with numbers that stand for vectors, by the names of the features. */
  public InputColumns withCurves(Map<String, Curve> curves) {
    List<Feature> all = new ArrayList<>();
    for (Feature one : features) {
      Curve curve = curves.get(one.name());
      all.add(
          curve == null
              ? one
              : new Feature(one.name(), one.column(), FeatureKind.VECTOR, one.elements(), curve));
    }
    return new InputColumns(
        label, labelKind, classes, zeros, weight, offset, trials, keys, List.copyOf(all), missing);
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

  /** Returns the columns with classes and levels, and the label. */
  public InputColumns levelsOnly() {
    return new InputColumns(
        label,
        labelKind,
        classes,
        zeros,
        null,
        null,
        null,
        new Keys(null, null, List.of()),
        features.stream().filter(of -> of.kind() == FeatureKind.CATEGORICAL).toList(),
        missing);
  }

  /** Returns a column of a table by its exact name, with any characters. */
  public static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /**
   * Finds the columns.
   *
   * @param table the columns of the shaped input
   * @param intercept whether there is an intercept, so that there need be no feature
   * @param where what to call the table in messages
   * @throws UserException if a column is absent, double or of a type that cannot be used
   */
  public static InputColumns resolve(
      StructType table, Columns columns, Columns.Model model, boolean intercept, String where) {
    requireRoles(table, columns, model, where);
    String label = columns.requiredLabel();
    Map<String, DataType> types = types(table.fields(), where);
    List<Feature> features = features(table, columns, model, types, where);
    requireAny(!features.isEmpty() || intercept, where);
    return new InputColumns(
        label,
        model.labelKind(),
        model.classes(),
        model.zeros(),
        columns.weight(),
        model.offset(),
        model.trials(),
        new Keys(columns.groupBy(), columns.orderBy(), model.groups()),
        features,
        columns.rules().missing());
  }

  /** Refuses a model without coefficients. */
  public static void requireAny(boolean any, String where) {
    if (!any) {
      throw UserException.data(
          where
              + " leaves the model without coefficients: it has no features, and data.intercept is false (0 + in a formula). Add a feature, or keep the intercept.");
    }
  }

  /**
   * Refuses a label, or another column that is no feature, of a type that cannot be used.
   *
   * @throws UserException if there is one
   */
  public static void requireRoles(
      StructType table, Columns columns, Columns.Model model, String where) {
    Map<String, DataType> types = types(table.fields(), where);
    String label = columns.requiredLabel();
    requireLabel(label, model.labelKind(), require(label, "the label", types, where), where);
    requireNumbers("weight", columns.weight(), types, where);
    boolean intervals = model.labelKind() == LabelKind.INTERVAL;
    requireNumbers(intervals ? "second times" : "offset", model.offset(), types, where);
    boolean times = model.labelKind().isTime();
    requireNumbers(times ? "events" : "trials", model.trials(), types, where);
    requireKey("grouped", columns.groupBy(), "the groups", types, where);
    requireKey("ordered", columns.orderBy(), "the order", types, where);
    for (String group : model.groups()) {
      for (String part : GroupKeys.parts(group, types.keySet())) {
        requireKey("grouped", part, "the groups of model.random", types, where);
      }
      if (group.equals(label)) {
        throw UserException.usage(
            "model.random names the label '%s' as a group. Name another column.".formatted(label));
      }
    }
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
        model.classes(),
        model.zeros(),
        null,
        model.offset(),
        null,
        new Keys(null, null, List.of()),
        columns.features().isEmpty()
            ? List.of()
            : features(table.schema(), columns, model, types, where),
        columns.rules().missing());
  }

  private static List<Feature> features(
      StructType table,
      Columns columns,
      Columns.Model model,
      Map<String, DataType> types,
      String where) {
    Map<String, String> holding = new HashMap<>();
    for (StructField field : table.fields()) {
      if (field.metadata().contains(FEATURE)) {
        holding.put(field.metadata().getString(FEATURE), field.name());
      }
    }
    Set<String> wanted = new LinkedHashSet<>(columns.features());
    if (wanted.isEmpty()) {
      wanted.addAll(types.keySet());
      wanted.remove(columns.label());
      wanted.removeAll(columns.besides(model));
    }
    requireReportable(wanted, where);
    List<Feature> features = new ArrayList<>();
    for (String name : wanted) {
      String column = holding.getOrDefault(name, name);
      require(column, "the feature", types, where);
      requireFeature(name, columns, model);
      features.add(feature(name, table.apply(column), columns, where));
    }
    requireEncodings(columns, model, wanted);
    return List.copyOf(features);
  }

  private static Feature feature(String name, StructField held, Columns columns, String where) {
    DataType type = held.dataType();
    boolean declared = columns.categorical().containsKey(name);
    boolean days = columns.rules().dates() == Columns.Dates.DAYS && isTime(type);
    return new Feature(
        name,
        held.name(),
        days && !declared ? FeatureKind.NUMERIC : kind(name, type, declared, where),
        held.metadata().contains(ELEMENTS)
            ? List.of(held.metadata().getStringArray(ELEMENTS))
            : List.of(),
        null);
  }

  /**
   * Returns a column of a table as a feature.
   *
   * @throws UserException if it can be none
   */
  public static Feature featureOf(StructType table, Columns columns, String name, String where) {
    return feature(name, table.apply(name), columns, where);
  }

  /** Returns a description of a label of this kind, for messages. */
  public static String needed(LabelKind kind) {
    return switch (kind) {
      case BINARY -> "two classes";
      case CLASSES -> "classes: whole numbers or text";
      case REAL -> "a number";
      case POSITIVE -> "a number above 0";
      case TIME, INTERVAL -> "a time, a number above 0";
      case SHARE -> "a number above 0 and below 1";
      case COUNT -> "a count, 0, 1, 2, …";
      case SUCCESSES -> "a number of successes, from 0 to the number of trials";
    };
  }

  private static void requireLabel(String label, LabelKind kind, DataType type, String where) {
    if (VectorCell.isVector(type)) {
      throw UserException.data(
          "the label '" + label + "' of " + where + " is a vector. Name one column.");
    }
    if (!kind.isClass() && !(type instanceof NumericType)) {
      throw UserException.data(
          ("the label '%s' of %s has type %s, but this model.family needs %s. Name another column,"
                  + " convert it in data.query, or choose another family.")
              .formatted(label, where, type.simpleString(), needed(kind)));
    }
  }

  private static void requireNumbers(
      String role, @Nullable String name, Map<String, DataType> types, String where) {
    String named = role.endsWith("s") ? role : role + "s";
    if (name != null && !isNumeric(require(name, "the " + named, types, where))) {
      throw UserException.data(
          "the %s column '%s' of %s holds no numbers. Correct its cells, or name another column."
              .formatted(role, name, where));
    }
  }

  private static void requireKey(
      String done, @Nullable String name, String role, Map<String, DataType> types, String where) {
    if (name != null) {
      DataType type = require(name, role, types, where);
      if (!isNumeric(type) && !isText(type) && !isTime(type)) {
        throw UserException.data(
            ("column '%s' of %s has type %s, so rows cannot be %s by it. Name a column of numbers,"
                    + " text, dates or times.")
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
   * Returns the roles of named columns, by name.
   *
   * @param computed columns from which a formula computes features, the label and the offset; null
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
        .forEach(name -> roles.putIfAbsent(name, "another key"));
    if (model.offset() != null && computed == null) {
      roles.putIfAbsent(model.offset(), "another key");
    }
    model.groups().forEach(name -> roles.putIfAbsent(name, "another key"));
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
   * @throws UserException if one is absent, or two have the same name
   */
  public static void requireNames(Map<String, String> roles, List<String> names, String where) {
    requireDistinct(names, where);
    Map<String, DataType> types = new LinkedHashMap<>();
    names.forEach(name -> types.put(name, DataTypes.NullType));
    roles.forEach(
        (name, role) ->
            GroupKeys.parts(name, names).forEach(part -> require(part, role, types, where)));
  }

  /**
   * Refuses conflicting roles, as far as names show.
   *
   * @param fixed the columns of a formula's terms; null without a formula, or where it has a "."
   * @throws UserException (usage) if a column has two roles, or an encoding and no use
   */
  public static void requireRoles(
      Columns columns, Columns.Model model, @Nullable Set<String> fixed) {
    for (String group : model.groups()) {
      if (group.equals(columns.label())) {
        throw UserException.usage(
            "model.random names the label '%s' as a group. Name another column.".formatted(group));
      }
    }
    columns.features().forEach(name -> requireFeature(name, columns, model));
    Set<String> wanted = fixed != null ? fixed : new LinkedHashSet<>(columns.features());
    for (String name : columns.categorical().keySet()) {
      requireEncoded(name, wanted, columns, model, fixed != null || !wanted.isEmpty());
    }
  }

  private static void requireFeature(String name, Columns columns, Columns.Model model) {
    LabelKind kind = model.labelKind();
    String role =
        name.equals(columns.label())
            ? "the label"
            : kind.isTime() && name.equals(model.trials())
                ? "the event (model.event)"
                : kind == LabelKind.INTERVAL && name.equals(model.offset())
                    ? "the second time (model.time2)"
                    : null;
    if (role != null) {
      throw UserException.usage(
          "column '%s' is %s, so it cannot be a feature as well. Remove it from data.features or model.formula."
              .formatted(name, role));
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
          "data.categorical names '%s', which is a group. Groups in model.random and (… | %1$s) need no encoding. Remove it from data.categorical."
              .formatted(name));
    }
    throw UserException.usage(
        "data.categorical names '%s', which is no feature%s; %s"
            .formatted(
                name,
                columns.features().isEmpty() && all ? " of model.formula" : "",
                wanted.isEmpty() ? "remove it" : NearestName.hint(name, wanted)));
  }

  /** Refuses features that cannot be reported under their names, and more than can be planned. */
  private static void requireReportable(Set<String> wanted, String where) {
    if (wanted.size() > MOST_FEATURES) {
      throw UserException.data(
          "%s has %d columns for features; above %d, Spark needs minutes and gigabytes to plan the read. Name fewer in data.features, store them as one vector column, or convert the table to LibSVM."
              .formatted(where, wanted.size(), MOST_FEATURES));
    }
    for (String name : wanted) {
      if (name.isBlank()) {
        throw UserException.data(
            "a column of %s has %s. Name it, or leave it out of data.features."
                .formatted(where, name.isEmpty() ? "no name" : "a blank name"));
      }
      if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
        throw UserException.data(
            "%s has a column '%s', a name reserved for draws. Rename it, for instance in data.query."
                .formatted(where, name));
      }
    }
  }

  /**
   * Refuses duplicate names.
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
                : "named '%s' and '%s', which differ in case only";
        throw UserException.data(
            "columns %s and %s of %s are %s. Rename one."
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
      // Without backquotes a formula has the name's first word alone.
      Optional<String> longer =
          types.keySet().stream()
              .filter(one -> one.matches(Pattern.quote(name) + "[^\\p{L}\\p{N}._].*"))
              .findFirst();
      throw UserException.data(
          "%s has no column '%s' for %s; %s"
              .formatted(
                  where,
                  name,
                  role,
                  only.contains(";") || only.contains("\t")
                      ? "its header is one name with semicolons or tabs in it. Set data.csv.separator: \"%s\", or separate by commas."
                          .formatted(only.contains(";") ? ";" : "\\t")
                      : role.equals("model.formula") && longer.isPresent()
                          ? "did you mean '%s'? Put it in backquotes: `%1$s`"
                              .formatted(longer.get())
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
          ("column '%s' of %s has type %s. Set data.dates: days to use days since 1970-01-01,"
                  + " compute a number in data.query, such as YEAR(%s), or leave it out of"
                  + " data.features.")
              .formatted(name, where, type.simpleString(), name));
    }
    throw UserException.data(
        ("column '%s' of %s has type %s, which is no number, text or vector of numbers. Convert it"
                + " in data.query, or leave it out of data.features.")
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

  /** Returns some columns, the offset, if there is one, the features in order, and more columns. */
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

  /** Returns a feature's column, with dates and times in days if they are numbers. */
  private static Column feature(Dataset<Row> table, Feature feature) {
    DataType type = table.schema().apply(feature.column()).dataType();
    Column column = column(feature.column());
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

  /** Returns the position of the group in a row of {@link #select}. */
  public int groupAt() {
    return (int) Stream.of(label, weight, offset, trials).filter(Objects::nonNull).count()
        + features.size();
  }

  /** Returns the position of the first group with effects in a row of {@link #select}. */
  public int groupsAt() {
    return groupAt() + (groupBy() == null ? 0 : 1) + (orderBy() == null ? 0 : 1);
  }

  /** Returns a column with times as numbers, and dates as text that sorts the same. */
  public static Column keyed(Dataset<Row> table, String name) {
    DataType type = table.schema().apply(name).dataType();
    Column column = column(name);
    return type instanceof TimestampType
        ? functions.unix_micros(column)
        : isTime(type) ? column.cast(DataTypes.StringType) : column;
  }
}
