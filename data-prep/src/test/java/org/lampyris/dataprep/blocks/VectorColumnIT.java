package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.junit.jupiter.api.Test;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.table.TableSchema;

/** Vector columns of Spark ML, read without spark-mllib. */
class VectorColumnIT extends PrepareContract {
  private static final String MLLIB = "org.apache.spark.ml.linalg.VectorUDT";
  private static final double[][] VECTORS = {
    {1, 0, 2.5}, {0, 0, 0}, {0, -3, 0}, {4, 5, 6}, {0, 0, 7}, {2, 0, 0}
  };

  /** A type that is on the class path, as VectorUDT is in a full Spark. */
  public static final class PresentUdt extends UserDefinedType<String> {
    private static final long serialVersionUID = 1L;

    @Override
    public DataType sqlType() {
      return VectorCell.TYPE;
    }

    @Override
    public Object serialize(String value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String deserialize(Object datum) {
      throw new UnsupportedOperationException("rows are read as the struct that is stored");
    }

    @Override
    public Class<String> userClass() {
      return String.class;
    }
  }

  /** Writes what Spark ML writes: the struct, and the class's name in the footer. */
  private Path write(String name, String udtClass) throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            """
            message spark_schema {
              required int32 y;
              optional group features {
                required int32 type (INTEGER(8,true));
                optional int32 size;
                optional group indices (LIST) { repeated group list { required int32 element; } }
                optional group values (LIST) { repeated group list { required double element; } }
              }
            }
            """);
    String metadata =
        "{\"type\":\"struct\",\"fields\":[{\"name\":\"y\",\"type\":\"integer\",\"nullable\":false,"
            + "\"metadata\":{}},{\"name\":\"features\",\"type\":{\"type\":\"udt\",\"class\":\""
            + udtClass
            + "\",\"pyClass\":\"pyspark.ml.linalg.VectorUDT\",\"sqlType\":"
            + VectorCell.TYPE.json()
            + "},\"nullable\":true,\"metadata\":{}}]}";
    Path folder = Files.createDirectory(this.folder.resolve(name + ".parquet"));
    var file = new org.apache.hadoop.fs.Path(folder.resolve("part-0.parquet").toUri());
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(file)
            .withConf(new Configuration())
            .withType(type)
            .withExtraMetaData(Map.of("org.apache.spark.sql.parquet.row.metadata", metadata))
            .build()) {
      SimpleGroupFactory groups = new SimpleGroupFactory(type);
      for (int n = 0; n < VECTORS.length; n++) {
        Group row = groups.newGroup().append("y", n % 2);
        fill(row.addGroup("features"), VECTORS[n], n % 2 == 0);
        writer.write(row);
      }
    }
    return folder;
  }

  private static void fill(Group vector, double[] x, boolean sparse) {
    vector.append("type", sparse ? 0 : 1);
    if (sparse) {
      vector.append("size", x.length);
    }
    Group indices = sparse ? vector.addGroup("indices") : vector;
    Group values = vector.addGroup("values");
    for (int j = 0; j < x.length; j++) {
      if (!sparse || x[j] != 0) {
        values.addGroup("list").append("element", x[j]);
      }
      if (sparse && x[j] != 0) {
        indices.addGroup("list").append("element", j);
      }
    }
  }

  private static List<String> expected() {
    List<String> rows = new ArrayList<>();
    for (int n = 0; n < VECTORS.length; n++) {
      StringBuilder row = new StringBuilder(n % 2 == 0 ? "-1 1.0" : "1 1.0");
      for (double x : VECTORS[n]) {
        row.append(' ').append(x);
      }
      rows.add(row.toString());
    }
    return rows.stream().sorted().toList();
  }

  private static void assertRead(Wish wish) {
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of("(Intercept)", "features[0]", "features[1]", "features[2]"), schema.columnNames());
    assertEquals(0, schema.columns().get(1).min());
    assertEquals(4, schema.columns().get(1).max());
    assertEquals(expected(), wish.rows().stream().sorted().toList());
  }

  @Test
  void isReadWithoutTheClassThatTheFileNames() throws IOException {
    assertThrows(ClassNotFoundException.class, () -> Class.forName(MLLIB));
    assertRead(wish(write("absent", MLLIB)));
    Wish query = new Wish(folder.resolve("absent.parquet"), folder.resolve("query"));
    query.query = "SELECT y, features FROM input";
    assertRead(query);
  }

  @Test
  void isReadAsAStructWhereTheClassIsThere() throws IOException {
    assertRead(wish(write("present", PresentUdt.class.getName())));
  }

  @Test
  void plainStructsAndArraysAreVectorsToo() throws IOException {
    List<Row> structs = new ArrayList<>();
    List<Row> arrays = new ArrayList<>();
    for (int n = 0; n < VECTORS.length; n++) {
      structs.add(RowFactory.create(n % 2, RowFactory.create((byte) 1, null, null, VECTORS[n])));
      arrays.add(RowFactory.create(n % 2, VECTORS[n]));
    }
    StructType label = new StructType().add("y", DataTypes.IntegerType);
    String path = folder.resolve("struct.parquet").toString();
    SPARK.createDataFrame(structs, label.add("features", VectorCell.TYPE)).write().parquet(path);
    assertRead(wish(path));
    path = folder.resolve("array.parquet").toString();
    SPARK
        .createDataFrame(
            arrays, label.add("features", DataTypes.createArrayType(DataTypes.DoubleType)))
        .write()
        .parquet(path);
    assertRead(new Wish(path, folder.resolve("array")));
  }

  @Test
  void sizesThatDifferAreTold() throws IOException {
    String path = folder.resolve("array.parquet").toString();
    SPARK
        .range(4)
        .selectExpr("id % 2 AS y", "IF(id = 3, ARRAY(1.0D), ARRAY(1.0D * id, 2.0D)) AS v")
        .write()
        .parquet(path);
    assertSays(refusedData(wish(path)), "column 'v'", "different sizes");
    String missing = folder.resolve("missing.parquet").toString();
    SPARK
        .range(4)
        .selectExpr("id % 2 AS y", "IF(id = 2, NULL, ARRAY(1.0D * id, id * id)) AS v")
        .write()
        .parquet(missing);
    assertSays(refusedData(wish(missing)), "column 'v'", "no value in 1 row", ", row ");
    String nan = folder.resolve("nan.parquet").toString();
    SPARK
        .range(4)
        .selectExpr("id % 2 AS y", "ARRAY(1.0D * id, IF(id = 2, DOUBLE('NaN'), id * id)) AS v")
        .write()
        .parquet(nan);
    assertSays(refusedData(wish(nan)), "column 'v'", "no value in 1 row");
  }
}
