package org.lampyris.experiments.reproduce;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * A table of four signals: a random mixture of four independent sources, whitened by its own
 * covariance S, x = S^(−½)(As − mean).
 *
 * <p>Two sources have a Laplace distribution, two a logistic one, all with variance 1. The paper
 * has two normal sources among them, which any rotation of their plane leaves unchanged: no Amari
 * distance near 0 is possible there. These are as heavy-tailed as the density 1/(4cosh²(½s)) or
 * more, and so its likelihood is largest where they are apart; flatter ones than normal it would
 * mix.
 *
 * @param rows how many
 * @param seed of sources and mixture; rows are drawn by their numbers, a chunk at a time
 */
public record Signals(long rows, long seed) implements Serializable {
  /** D. */
  static final int ORDER = 4;

  private static final int CHUNK = 4096;

  /** x = V(As − m). */
  private record Law(double[] mixing, double[] mean, double[] whitening) implements Serializable {
    /** Returns VA, the mixture of the whitened signals. */
    double[] mixture() {
      DMatrixRMaj product = new DMatrixRMaj(ORDER, ORDER);
      CommonOps_DDRM.mult(matrix(whitening), matrix(mixing), product);
      return product.getData();
    }
  }

  private static DMatrixRMaj matrix(double[] values) {
    return new DMatrixRMaj(ORDER, ORDER, true, values.clone());
  }

  /** Writes the table x1, …, x4 as Parquet, and returns its mixture, row-major. */
  public double[] write(SparkSession spark, String path) {
    Law law = law(spark);
    StructType type = new StructType();
    for (int j = 1; j <= ORDER; j++) {
      type = type.add("x" + j, DataTypes.DoubleType, false);
    }
    spark
        .createDataFrame(
            spark
                .range(chunks())
                .javaRDD()
                .flatMap(chunk -> white(chunk, law).iterator())
                .map(x -> RowFactory.create(x[0], x[1], x[2], x[3])),
            type)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(path);
    return law.mixture();
  }

  private long chunks() {
    return (rows - 1) / CHUNK + 1;
  }

  /** Returns the rows as the model's blocks, in memory. */
  List<DataBlock> blocks(SparkSession spark) {
    Law law = law(spark);
    return spark.range(chunks()).javaRDD().map(chunk -> block(chunk, law)).collect();
  }

  private DataBlock block(long chunk, Law law) {
    List<double[]> white = white(chunk, law);
    return new DenseBlock(
        chunk,
        ORDER - 1,
        white.stream().flatMapToDouble(x -> Arrays.stream(x, 0, ORDER - 1)).toArray(),
        white.stream().mapToDouble(x -> x[ORDER - 1]).toArray(),
        null);
  }

  /** Returns V(As − m) of the rows of a chunk. */
  private List<double[]> white(long chunk, Law law) {
    List<double[]> all = new ArrayList<>();
    for (double[] mixed : mixed(chunk, law.mixing)) {
      double[] white = new double[ORDER];
      for (int i = 0; i < ORDER; i++) {
        for (int k = 0; k < ORDER; k++) {
          white[i] += law.whitening[i * ORDER + k] * (mixed[k] - law.mean[k]);
        }
      }
      all.add(white);
    }
    return all;
  }

  /** Returns As of the rows of a chunk. */
  private List<double[]> mixed(long chunk, double[] mixing) {
    UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.INITIAL, 1, 0, chunk);
    List<double[]> all = new ArrayList<>();
    long count = Math.min(CHUNK, rows - chunk * CHUNK);
    for (long n = 0; n < count; n++) {
      double[] x = new double[ORDER];
      for (int j = 0; j < ORDER; j++) {
        double s = source(j, ((rng.nextLong() >>> 11) + 0.5) * 0x1p-53);
        for (int i = 0; i < ORDER; i++) {
          x[i] += mixing[i * ORDER + j] * s;
        }
      }
      all.add(x);
    }
    return all;
  }

  /** Returns the quantile of a source at u: Laplace for the first two, logistic for the others. */
  private static double source(int j, double u) {
    return j < 2
        ? Math.copySign(Math.log1p(-2 * Math.abs(u - 0.5)) / Math.sqrt(2), u - 0.5)
        : Math.sqrt(3) / Math.PI * Math.log(u / (1 - u));
  }

  /** Finds mean and whitening by a pass, whose sums are added chunk by chunk. */
  private Law law(SparkSession spark) {
    double[] mixing =
        Noise.of(new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0)).normals(ORDER * ORDER);
    int length = ORDER + ORDER * ORDER;
    double[] sums = new double[length];
    for (double[] share :
        spark.range(chunks()).javaRDD().map(chunk -> moments(mixed(chunk, mixing))).collect()) {
      Arrays.setAll(sums, i -> sums[i] + share[i]);
    }
    Arrays.setAll(sums, i -> sums[i] / rows);
    double[] mean = Arrays.copyOf(sums, ORDER);
    DMatrixRMaj covariance = new DMatrixRMaj(ORDER, ORDER);
    for (int i = 0; i < ORDER; i++) {
      for (int j = 0; j < ORDER; j++) {
        covariance.set(i, j, sums[ORDER + i * ORDER + j] - mean[i] * mean[j]);
      }
    }
    return new Law(mixing, mean, inverseRoot(covariance));
  }

  private static double[] moments(List<double[]> all) {
    double[] sums = new double[ORDER + ORDER * ORDER];
    for (double[] x : all) {
      for (int i = 0; i < ORDER; i++) {
        sums[i] += x[i];
        for (int j = 0; j < ORDER; j++) {
          sums[ORDER + i * ORDER + j] += x[i] * x[j];
        }
      }
    }
    return sums;
  }

  /** Returns S^(−½), by the eigenvectors of S. */
  private static double[] inverseRoot(DMatrixRMaj covariance) {
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(ORDER, true, true);
    eigen.decompose(covariance);
    double[] root = new double[ORDER * ORDER];
    for (int k = 0; k < ORDER; k++) {
      DMatrixRMaj v = eigen.getEigenVector(k);
      double scale = 1 / Math.sqrt(eigen.getEigenvalue(k).getReal());
      for (int i = 0; i < root.length; i++) {
        root[i] += scale * v.get(i / ORDER) * v.get(i % ORDER);
      }
    }
    return root;
  }
}
