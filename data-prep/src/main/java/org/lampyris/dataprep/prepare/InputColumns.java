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
import java.util.Set;
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
import org.lampyris.bounds.error.UserException;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Which columns of the shaped input are used, and as what.
 *
 * @param label the label's name
 * @param weight the name of the weights' column; null for none
 * @param features the features, in order
 */
record InputColumns(String label, @Nullable String weight, List<Feature> features)
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
    String weight = spec.weight();
    if (weight != null) {
      require(weight, "the weights", types, where);
      if (!isNumeric(required(types, weight))) {
        throw UserException.data(
            "the weight column '" + weight + "' of " + where + " holds no numbers");
      }
    }
    if (VectorCell.isVector(required(types, spec.label()))) {
      throw UserException.data(
          "the label '" + spec.label() + "' of " + where + " is a vector; name one column");
    }
    Set<String> wanted =
        new LinkedHashSet<>(spec.features().isEmpty() ? types.keySet() : spec.features());
    if (spec.features().isEmpty()) {
      wanted.remove(spec.label());
      wanted.remove(String.valueOf(weight));
    }
    List<Feature> features = new ArrayList<>();
    for (String name : wanted) {
      require(name, "the feature", types, where);
      if (name.equals(spec.label()) || name.equals(weight)) {
        throw UserException.usage(
            "column '" + name + "' is the label or the weight and cannot be a feature as well");
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
    return new InputColumns(spec.label(), weight, List.copyOf(features));
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

  /** Returns the columns in the order label, weight (if any), features. */
  Dataset<Row> select(Dataset<Row> table) {
    List<Column> columns = new ArrayList<>();
    columns.add(column(label));
    if (weight != null) {
      columns.add(column(weight));
    }
    features.forEach(feature -> columns.add(column(feature.name())));
    return table.select(columns.toArray(new Column[0]));
  }

  /** Returns where in a selected row the features begin. */
  int firstFeature() {
    return weight == null ? 1 : 2;
  }
}
