package org.lampyris.dataprep.precompute;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.dataprep.precompute.BoundsArtefact.ModelFacts;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.FlatJson;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.StoredDocument;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.NewtonPass;

/**
 * Folder of an artefact: {@code bounds.json}, and the Parquet table {@code matrices} with the lower
 * triangles of Σ̂ and of the collapsed bounds, if any. Each row holds a row of a triangle; the
 * bounds' b and c follow as two more rows. If the bounds are about the mode of earlier rows, the
 * table also holds that mode and its covariance ({@code about}). If the covariance has no matrix,
 * the table holds the numbers of its low-rank factor ({@code factor}); if the coefficients have
 * scales, it also holds Σ̂⁻¹ ({@code precision}).
 */
record ArtefactFolder(SparkSession spark, String folder) {
  private static final StoredDocument DOCUMENT =
      new StoredDocument(
          FlatJson.builder().enable(SerializationFeature.INDENT_OUTPUT).build(),
          BoundsArtefact.FILE,
          BoundsArtefact.VERSION,
          BoundsArtefact.OLDEST,
          "%s has version %s, and this Lampyris (%s) reads version %s",
          "%s holds no precomputed bounds (no bounds.json); run precompute first",
          "run precompute again");
  private static final String MATRICES = "matrices";
  private static final String FACTOR = "factor";
  private static final String ABOUT = "about";
  private static final String ABOUT_PRECISION = "about-precision";
  private static final StructType TYPE =
      new StructType()
          .add("matrix", DataTypes.StringType, false)
          .add("row", DataTypes.IntegerType, false)
          .add("values", DataTypes.createArrayType(DataTypes.DoubleType, false), false);

  private Configuration conf() {
    return spark.sparkContext().hadoopConfiguration();
  }

  /** Refuses a folder that exists, unless it holds an artefact and that may be replaced. */
  void requireFree(boolean overwrite) {
    AtomicFolder.requireFree(folder, overwrite, DOCUMENT.file(), conf());
  }

  /** Writes an artefact: whole, or not at all. */
  void write(BoundsArtefact artefact, boolean overwrite) {
    try (AtomicFolder whole = AtomicFolder.create(folder, overwrite, DOCUMENT.file(), conf())) {
      spark
          .createDataFrame(rows(artefact), TYPE)
          .coalesce(1)
          .write()
          .parquet(whole.path() + "/" + MATRICES);
      ArtefactDocument document = ArtefactDocument.of(artefact);
      DOCUMENT.write(
          whole.path(), conf(), document.withChecksum(checksum(document, rows(artefact))));
      whole.commit();
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.writing(folder, e);
    }
  }

  BoundsArtefact read() {
    ArtefactDocument document = DOCUMENT.read(folder, conf(), ArtefactDocument.class);
    String family = document.family().name();
    if (document.version() < BoundsArtefact.LOCAL
        && document.figures().local()
        && !BoundsArtefact.UNCHANGED.contains(family)) {
      throw UserException.data(
          "%s has bounds of version %d, which for %s are not those that this version would compute; run precompute again"
              .formatted(folder, document.version(), family));
    }
    int d = document.coefficients().size();
    List<Row> rows = matrices();
    boolean isLocal = document.figures().local();
    double[] bounds =
        document.figures().bounds() ? packed(rows, collapsed(isLocal), d, d + 2) : null;
    LaplaceApproximation laplace = laplace(document, rows);
    String checksum = document.checksum();
    if (checksum != null && !checksum.equals(checksum(document, rows))) {
      throw damaged("its numbers have changed since they were written");
    }
    return document.with(
        laplace, document.hasEarlier() ? about(rows, d, document.hasScales()) : null, bounds);
  }

  private LaplaceApproximation laplace(ArtefactDocument document, List<Row> rows) {
    double[] mode = document.theta();
    int d = mode.length;
    Integer rank = document.figures().rank();
    if (rank == null) {
      double[] covariance = square(packed(rows, "covariance", d, d), d);
      return new LaplaceApproximation(
          mode, covariance, document.hasScales() ? precision(rows, "precision", d) : null);
    }
    double[][] factor = new double[rank + 2][];
    for (Row row : rows) {
      int place = row.getInt(1);
      if (row.getString(0).equals(FACTOR) && place >= 0 && place < factor.length) {
        factor[place] = row.<Double>getList(2).stream().mapToDouble(x -> x).toArray();
      }
    }
    for (int i = 0; i < factor.length; i++) {
      if (factor[i] == null || factor[i].length != (i == 1 ? rank : d)) {
        throw damaged("row " + i + " of the " + FACTOR + " has the wrong length");
      }
    }
    try {
      return new LaplaceApproximation(
          mode,
          new LowRankFactor(factor[0], factor[1], Arrays.copyOfRange(factor, 2, factor.length)));
    } catch (IllegalArgumentException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  /**
   * @param scaled whether coefficients have scales
   */
  private LaplaceApproximation about(List<Row> rows, int d, boolean scaled) {
    double[] packed = packed(rows, ABOUT, d, d + 1);
    int lower = packed.length - d;
    return new LaplaceApproximation(
        Arrays.copyOfRange(packed, lower, packed.length),
        square(Arrays.copyOf(packed, lower), d),
        scaled ? precision(rows, ABOUT_PRECISION, d) : null);
  }

  private ArrowMatrix precision(List<Row> rows, String name, int d) {
    return new ArrowMatrix(square(packed(rows, name, d, d), d), d);
  }

  /**
   * Returns the checksum (CRC-32C) of a document and of its matrices, for any order of the rows.
   */
  private static String checksum(ArtefactDocument document, List<Row> rows) {
    CRC32C checksum = new CRC32C();
    try {
      checksum.update(DOCUMENT.json().writeValueAsBytes(document.withChecksum(null)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    rows.stream()
        .filter(row -> !row.anyNull())
        .sorted(
            Comparator.<Row, String>comparing(row -> row.getString(0))
                .thenComparingInt(row -> row.getInt(1)))
        .forEach(
            row -> {
              // A row that was read has Scala's lists, one to be written has Java's.
              List<?> values = row.get(2) instanceof List<?> own ? own : row.getList(2);
              ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * values.size());
              values.forEach(value -> bytes.putDouble((Double) value));
              checksum.update(bytes.flip());
            });
    return HexFormat.of().toHexDigits((int) checksum.getValue());
  }

  /** Returns the name of the matrix with the collapsed bounds. */
  private static String collapsed(boolean isLocal) {
    return isLocal ? "local" : "tuned";
  }

  private static List<Row> rows(BoundsArtefact artefact) {
    int d = artefact.theta().length;
    List<Row> rows = new ArrayList<>();
    if (artefact.laplace().factor() instanceof LowRankFactor factor) {
      addFactor(rows, factor);
    } else {
      addSymmetric(rows, "covariance", artefact.laplace().covariance(), d);
      artefact.laplace().precision().ifPresent(p -> addSymmetric(rows, "precision", p.matrix(), d));
    }
    if (artefact.hasBounds()) {
      addRows(rows, collapsed(artefact.isLocal()), artefact.collapsed().packed(), d);
    }
    LaplaceApproximation earlier = artefact.earlier();
    if (earlier != null) {
      addSymmetric(rows, ABOUT, earlier.covariance(), d);
      rows.add(row(ABOUT, d, earlier.mode(), 0, d));
      earlier.precision().ifPresent(p -> addSymmetric(rows, ABOUT_PRECISION, p.matrix(), d));
    }
    return rows;
  }

  /** Adds the diagonal, the eigenvalues, and then the eigenvectors, a row each. */
  private static void addFactor(List<Row> rows, LowRankFactor factor) {
    rows.add(row(FACTOR, 0, factor.diagonal(), 0, factor.dimension()));
    rows.add(row(FACTOR, 1, factor.eigenvalues(), 0, factor.eigenvalues().length));
    for (double[] vector : factor.vectors()) {
      rows.add(row(FACTOR, rows.size(), vector, 0, vector.length));
    }
  }

  /** Adds the lower triangle of a symmetric matrix. */
  private static void addSymmetric(List<Row> rows, String name, double[] matrix, int d) {
    for (int i = 0; i < d; i++) {
      rows.add(row(name, i, matrix, i * d, i + 1));
    }
  }

  private static void addRows(List<Row> rows, String name, double[] packed, int d) {
    int at = 0;
    for (int i = 0; i < d + 2; i++) {
      rows.add(row(name, i, packed, at, length(i, d)));
      at += length(i, d);
    }
  }

  /** Returns how long row i is. */
  private static int length(int i, int d) {
    return i < d ? i + 1 : i == d ? d : 1;
  }

  private static Row row(String name, int i, double[] values, int from, int length) {
    return RowFactory.create(name, i, Arrays.stream(values, from, from + length).boxed().toList());
  }

  private List<Row> matrices() {
    Path path = new Path(folder, MATRICES);
    try {
      if (!path.getFileSystem(conf()).exists(path)) {
        throw damaged(MATRICES + " is missing");
      }
    } catch (IOException e) {
      throw StorageProblem.reading(path.toString(), e);
    }
    return spark.read().schema(TYPE).parquet(path.toString()).collectAsList();
  }

  /** Returns the rows of one matrix, one after the other, each of the length that it must have. */
  private double[] packed(List<Row> all, String name, int d, int count) {
    List<Row> rows =
        all.stream()
            .filter(row -> name.equals(row.getString(0)))
            .sorted(Comparator.comparingInt(row -> row.getInt(1)))
            .toList();
    if (rows.size() < count) {
      throw damaged("the matrix %s has %s rows instead of %s".formatted(name, rows.size(), count));
    }
    for (int i = 0; i < rows.size(); i++) {
      int number = rows.get(i).getInt(1);
      if (number != i || i >= count || rows.get(i).getList(2).size() != length(i, d)) {
        throw damaged("row " + number + " of the matrix " + name + " has the wrong length");
      }
    }
    return rows.stream()
        .flatMap(row -> row.<Double>getList(2).stream())
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private UserException damaged(String what) {
    return UserException.data(folder + " is damaged (" + what + "); " + DOCUMENT.remedy());
  }

  private static double[] square(double[] lower, int d) {
    double[] matrix = new double[d * d];
    int at = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * d + j] = lower[at];
        matrix[j * d + i] = lower[at++];
      }
    }
    return matrix;
  }

  /** {@code bounds.json}, field by field, in order; the digits of numbers give back their bits. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  private record ArtefactDocument(
      int version,
      String libraryVersion,
      FamilySpec family,
      @JsonUnwrapped TableFacts table,
      @JsonUnwrapped Figures figures,
      List<Coefficient> coefficients,
      List<NewtonPass> history,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String checksum) {
    /** Copies the lists, which a damaged file may lack. */
    ArtefactDocument {
      coefficients = List.copyOf(coefficients);
      history = List.copyOf(history);
    }

    /**
     * Figures about the mode, with the number of passes.
     *
     * @param untunedAnchor of versions up to 10, which stored untuned bounds as well
     * @param rank of the factor of the covariance, where there is no matrix
     */
    record Figures(
        boolean bounds,
        double logPosterior,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double untunedAnchor,
        double radius,
        boolean local,
        int passes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean earlier,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer rank,
        @JsonInclude(JsonInclude.Include.NON_NULL) BoundsArtefact.@Nullable Scales scales) {}

    /** A coefficient: its name, its prior, and its mode and standard deviation under Laplace. */
    record Coefficient(String name, String prior, double map, double sd) {}

    static ArtefactDocument of(BoundsArtefact artefact) {
      MapFit fit = artefact.fit();
      List<String> names = artefact.model().coefficients();
      List<String> priors = artefact.model().priors();
      return new ArtefactDocument(
          BoundsArtefact.VERSION,
          artefact.libraryVersion(),
          artefact.model().family(),
          artefact.table(),
          new Figures(
              artefact.hasBounds(),
              fit.logPosterior(),
              null,
              artefact.radius(),
              artefact.hasBounds() && artefact.isLocal(),
              artefact.passes(),
              artefact.earlier() == null ? null : Boolean.TRUE,
              fit.laplace().factor() instanceof LowRankFactor factor
                  ? factor.eigenvalues().length
                  : null,
              artefact.scales()),
          IntStream.range(0, names.size())
              .mapToObj(
                  j -> new Coefficient(names.get(j), priors.get(j), fit.theta()[j], fit.sd(j)))
              .toList(),
          fit.history(),
          null);
    }

    /** Returns the document with a checksum of itself and the matrices, or without one. */
    ArtefactDocument withChecksum(@Nullable String of) {
      return new ArtefactDocument(
          version, libraryVersion, family, table, figures, coefficients, history, of);
    }

    /** Returns θ̂. */
    double[] theta() {
      return coefficients.stream().mapToDouble(Coefficient::map).toArray();
    }

    /** Returns whether the bounds are about an earlier mode. */
    boolean hasEarlier() {
      return figures.earlier != null;
    }

    /** Returns whether coefficients have scales. */
    boolean hasScales() {
      return figures.scales != null;
    }

    /**
     * Returns the artefact.
     *
     * @param laplace N(θ̂, Σ̂)
     * @param about what the quadratics are about, where that is not N(θ̂, Σ̂)
     * @param packed the collapsed bounds, packed; null if there are none
     */
    BoundsArtefact with(
        LaplaceApproximation laplace,
        @Nullable LaplaceApproximation about,
        double @Nullable [] packed) {
      double[] origin = about == null ? laplace.mode() : about.mode();
      return new BoundsArtefact(
          libraryVersion,
          new ModelFacts(
              family,
              coefficients.stream().map(Coefficient::name).toList(),
              coefficients.stream().map(Coefficient::prior).toList()),
          table,
          new MapFit(
              laplace,
              figures.logPosterior,
              history,
              figures.rank == null ? 0 : figures.passes - history.size()),
          figures.radius,
          packed == null
              ? null
              : new CollapsePass(new CollapsedQuadratic(origin, packed), figures.local, null),
          about,
          figures.scales);
    }
  }
}
