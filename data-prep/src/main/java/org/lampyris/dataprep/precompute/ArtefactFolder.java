package org.lampyris.dataprep.precompute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;

/**
 * The folder that holds an artefact: {@code bounds.json}, and the Parquet table {@code matrices}
 * with the lower triangles of Σ̂ and of the collapsed bounds, if there are any, a row of a triangle
 * in each row; the bounds' b and c follow as two more rows.
 */
final class ArtefactFolder {
  static final String DOCUMENT = "bounds.json";
  static final String MATRICES = "matrices";

  private static final String REMEDY = "; run precompute again";
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final StructType TYPE =
      new StructType()
          .add("matrix", DataTypes.StringType, false)
          .add("row", DataTypes.IntegerType, false)
          .add("values", DataTypes.createArrayType(DataTypes.DoubleType, false), false);

  private final SparkSession spark;
  private final String folder;
  private final Configuration conf;

  ArtefactFolder(SparkSession spark, String folder) {
    this.spark = spark;
    this.folder = folder;
    this.conf = spark.sparkContext().hadoopConfiguration();
  }

  /** Refuses a folder that exists, unless it holds an artefact and that may be replaced. */
  void requireFree(boolean overwrite) {
    AtomicFolder.requireFree(folder, overwrite, DOCUMENT, conf);
  }

  void write(BoundsArtefact artefact, boolean overwrite) {
    try (AtomicFolder whole = AtomicFolder.create(folder, overwrite, DOCUMENT, conf)) {
      spark
          .createDataFrame(rows(artefact), TYPE)
          .coalesce(1)
          .write()
          .parquet(whole.path() + "/" + MATRICES);
      writeDocument(artefact, new Path(whole.path(), DOCUMENT));
      whole.commit();
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.writing(folder, e);
    }
  }

  private void writeDocument(BoundsArtefact artefact, Path path) throws IOException {
    try (OutputStream out = path.getFileSystem(conf).create(path, false)) {
      out.write(JSON.writeValueAsBytes(ArtefactDocument.of(artefact)));
    }
  }

  BoundsArtefact read() {
    Path path = new Path(folder, DOCUMENT);
    try (InputStream in = path.getFileSystem(conf).open(path)) {
      JsonNode tree = JSON.readTree(in);
      int version = tree.path("version").asInt(-1);
      if (version != BoundsArtefact.VERSION) {
        throw UserException.data(
            path
                + " has version "
                + tree.path("version").asText("(none)")
                + ", and this Lampyris ("
                + LibraryVersion.get()
                + ") reads version "
                + BoundsArtefact.VERSION
                + REMEDY);
      }
      ArtefactDocument document = JSON.treeToValue(tree, ArtefactDocument.class);
      int d = document.dimension();
      List<Row> rows = matrices();
      List<double[]> bounds = new ArrayList<>();
      for (String name : document.collapsed()) {
        bounds.add(flat(matrix(rows, name, d, d + 2)));
      }
      return document.with(square(matrix(rows, "covariance", d, d)), bounds);
    } catch (JsonProcessingException e) {
      throw UserException.data(path + " is damaged (" + e.getOriginalMessage() + ")" + REMEDY, e);
    } catch (FileNotFoundException e) {
      throw UserException.data(
          folder + " holds no precomputed bounds (no " + DOCUMENT + "); run precompute first", e);
    } catch (IOException e) {
      throw StorageProblem.reading(path.toString(), e);
    }
  }

  private static List<Row> rows(BoundsArtefact artefact) {
    int d = artefact.theta().length;
    double[] covariance = artefact.fit().covariance();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < d; i++) {
      rows.add(row("covariance", i, covariance, i * d, i + 1));
    }
    if (artefact.hasBounds()) {
      addRows(rows, "tuned", artefact.tuned().packed(), d);
      addRows(rows, "untuned", artefact.untuned().packed(), d);
      artefact.local().ifPresent(local -> addRows(rows, "local", local.packed(), d));
    }
    return rows;
  }

  private static void addRows(List<Row> rows, String name, double[] packed, int d) {
    int at = 0;
    for (int i = 0; i < d + 2; i++) {
      int length = i < d ? i + 1 : i == d ? d : 1;
      rows.add(row(name, i, packed, at, length));
      at += length;
    }
  }

  private static Row row(String name, int i, double[] values, int from, int length) {
    List<Double> cells = new ArrayList<>(length);
    for (int k = from; k < from + length; k++) {
      cells.add(values[k]);
    }
    return RowFactory.create(name, i, cells);
  }

  private List<Row> matrices() throws IOException {
    Path path = new Path(folder, MATRICES);
    if (!path.getFileSystem(conf).exists(path)) {
      throw damaged(MATRICES + " is missing");
    }
    return spark.read().schema(TYPE).parquet(path.toString()).collectAsList();
  }

  /** Returns the rows of one matrix, each of the length that it must have. */
  private double[][] matrix(List<Row> all, String name, int d, int count) {
    double[][] matrix = new double[count][];
    int found = 0;
    for (Row row : all) {
      if (!row.getString(0).equals(name)) {
        continue;
      }
      int i = row.getInt(1);
      int length = i < d ? i + 1 : i == d ? d : 1;
      List<Double> cells = row.getList(2);
      if (i < 0 || i >= count || matrix[i] != null || cells.size() != length) {
        throw damaged("row " + i + " of the matrix " + name + " is not as it should be");
      }
      matrix[i] = cells.stream().mapToDouble(Double::doubleValue).toArray();
      found++;
    }
    if (found != count) {
      throw damaged("the matrix " + name + " has " + found + " rows for " + count);
    }
    return matrix;
  }

  private UserException damaged(String what) {
    return UserException.data(folder + " is damaged (" + what + ")" + REMEDY);
  }

  private static double[] flat(double[][] rows) {
    List<Double> all = new ArrayList<>();
    for (double[] row : rows) {
      for (double value : row) {
        all.add(value);
      }
    }
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double[] square(double[][] lower) {
    int d = lower.length;
    double[] matrix = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * d + j] = lower[i][j];
        matrix[j * d + i] = lower[i][j];
      }
    }
    return matrix;
  }
}
