package org.lampyris.dataprep.prepare;

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
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.VarcharType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import org.lampyris.executors.table.TableSchema.LabelKind;

/**
 * Which columns of the shaped input are used, and as what.
 *
 * @param label the label's name
 * @param labelKind what the label must be
 * @param weight the name of the weights' column; null for none
 * @param offset the name of the offsets' column; null for none
 * @param features the features, in order
 */
record InputColumns(
    String label,
    LabelKind labelKind,
    @Nullable String weight,
    @Nullable String offset,
    List<Feature> features)
    implements Serializable {

  /** A feature of the input. */
  record Feature(String name, FeatureKind kind) implements Serializable {}

  /** Returns a column of a table by its exact name, whatever characters that has. */
  static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /**
   * Finds the columns.
   *
   * @param table the shaped input
   * @param spec names the columns
   * @param where what to call the table in messages
   * @throws UserException if a column is absent, double or of a type that cannot be used
   */
  static InputColumns resolve(Dataset<Row> table, PrepareSpec spec, String where) {
    Map<String, DataType> types = types(table.schema().fields(), where);
    require(spec.label(), "the label", types, where);
    requireLabel(spec, required(types, spec.label()), where);
    requireNumbers("weight", spec.weight(), types, where);
    requireNumbers("offset", spec.offset(), types, where);
    Set<String> roles = new LinkedHashSet<>(List.of(spec.label()));
    Stream.of(spec.weight(), spec.offset()).filter(Objects::nonNull).forEach(roles::add);
    Set<String> wanted =
        new LinkedHashSet<>(spec.features().isEmpty() ? types.keySet() : spec.features());
    if (spec.features().isEmpty()) {
      wanted.removeAll(roles);
    }
    List<Feature> features = new ArrayList<>();
    for (String name : wanted) {
      require(name, "the feature", types, where);
      if (roles.contains(name)) {
        throw UserException.usage(
            "column '"
                + name
                + "' is the label, the weight or the offset and cannot be a feature as well");
      }
      boolean declared = spec.categorical().containsKey(name);
      features.add(new Feature(name, kind(name, required(types, name), declared, where)));
    }
    for (String name : spec.categorical().keySet()) {
      if (!wanted.contains(name)) {
        throw UserException.usage(
            "data.categorical names '"
                + name
                + "', which is no feature; "
                + NearestName.hint(name, wanted));
      }
    }
    if (features.isEmpty() && !spec.intercept()) {
      throw UserException.data(where + " has no features and data.intercept is false");
    }
    return new InputColumns(
        spec.label(), spec.labelKind(), spec.weight(), spec.offset(), List.copyOf(features));
  }

  private static void requireLabel(PrepareSpec spec, DataType type, String where) {
    if (VectorCell.isVector(type)) {
      throw UserException.data(
          "the label '" + spec.label() + "' of " + where + " is a vector; name one column");
    }
    if (!spec.labelKind().isClass() && !(type instanceof NumericType)) {
      throw UserException.data(
          "the label '"
              + spec.label()
              + "' of "
              + where
              + " is of type "
              + type.simpleString()
              + ", and this model.family needs "
              + LabelChecks.needed(spec.labelKind())
              + "; name another column, convert it in data.query, or choose another family");
    }
  }

  private static void requireNumbers(
      String role, @Nullable String name, Map<String, DataType> types, String where) {
    if (name != null) {
      require(name, "the " + role + "s", types, where);
      if (!isNumeric(required(types, name))) {
        throw UserException.data(
            "the " + role + " column '" + name + "' of " + where + " holds no numbers");
      }
    }
  }

  private static DataType required(Map<String, DataType> types, String name) {
    DataType type = types.get(name);
    if (type == null) {
      throw new IllegalStateException("column " + name + " was there a moment ago");
    }
    return type;
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
   * Refuses names of which two are the same.
   *
   * @throws UserException (data) naming both
   */
  static void requireDistinct(List<String> names, String where) {
    Map<String, Integer> seen = new HashMap<>();
    for (int j = 0; j < names.size(); j++) {
      Integer before = seen.putIfAbsent(names.get(j).toLowerCase(Locale.ROOT), j);
      if (before != null) {
        String first = names.get(before);
        throw UserException.data(
            "columns "
                + (before + 1)
                + " and "
                + (j + 1)
                + " of "
                + where
                + (first.equals(names.get(j))
                    ? " are both named '" + first + "'"
                    : " are named '" + first + "' and '" + names.get(j) + "', alike but for case")
                + "; rename one");
      }
    }
  }

  private static void require(String name, String role, Map<String, DataType> types, String where) {
    if (!types.containsKey(name)) {
      String only = types.size() == 1 ? types.keySet().iterator().next() : "";
      throw UserException.data(
          where
              + " has no column '"
              + name
              + "' for "
              + role
              + "; "
              + (only.contains(";") || only.contains("\t")
                  ? "its header is one name with semicolons or tabs in it: separate by commas"
                  : NearestName.hint(name, types.keySet())));
    }
  }

  private static FeatureKind kind(String name, DataType type, boolean declared, String where) {
    if (declared && !VectorCell.isVector(type)) {
      return FeatureKind.CATEGORICAL;
    }
    if (type instanceof StringType || type instanceof CharType || type instanceof VarcharType) {
      return FeatureKind.CATEGORICAL;
    }
    if (!declared && isNumeric(type)) {
      return FeatureKind.NUMERIC;
    }
    if (!declared && VectorCell.isVector(type)) {
      return FeatureKind.VECTOR;
    }
    throw UserException.data(
        "column '"
            + name
            + "' of "
            + where
            + " is of type "
            + type.simpleString()
            + ", which is no number, text or vector of numbers; leave it out of data.features or"
            + " convert it in data.query");
  }

  private static boolean isNumeric(DataType type) {
    return type instanceof NumericType || type instanceof BooleanType;
  }

  /** Returns the columns in the order label, weight and offset (if any), features. */
  Dataset<Row> select(Dataset<Row> table) {
    List<Column> columns = new ArrayList<>();
    columns.add(column(label));
    if (weight != null) {
      columns.add(column(weight));
    }
    if (offset != null) {
      columns.add(column(offset));
    }
    features.forEach(feature -> columns.add(column(feature.name())));
    return table.select(columns.toArray(new Column[0]));
  }
}
