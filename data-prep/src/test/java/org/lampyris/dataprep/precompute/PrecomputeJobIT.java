package org.lampyris.dataprep.precompute;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LocalLogisticBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.dataprep.precompute.BoundsArtefact.ModelFacts;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.ChosenRows;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import scala.Tuple2;

class PrecomputeJobIT {
  private static final FamilySpec LOGISTIC = FamilySpec.of("logistic");

  private static final PrecomputeConfig CONFIG =
      new PrecomputeConfig(1e-4, 100, 1.5, null, PrecomputeConfig.Covariance.AUTO, null);

  private static final List<String> COLUMNS = List.of("(Intercept)", "age", "price", "share");
  private static final List<String> PRIORS =
      List.of("cauchy(0, 10)", "normal(0, 2.5)", "normal(0, 2.5)", "flat");
  private static final Model MODEL = new LinearModel(new LogisticLikelihood(), 4);
  private static final String NORMAL = "normal(0, 2.5)";
  private static final String NORMAL_CANONICAL = "normal(0.0, 2.5)";

  @SuppressWarnings("NullAway.Init") // set before any test
  private static SparkSession spark;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  private Path folder;

  @BeforeAll
  static void startSpark() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("precompute")
            .config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2)
            .getOrCreate();
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  private static List<DataBlock> simulated(long rows, int blockRows) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(17);
    double[] theta = {-1, 0.7, -0.4, 1.2};
    List<DataBlock> blocks = new ArrayList<>();
    for (long from = 0; from < rows; from += blockRows) {
      int n = (int) Math.min(blockRows, rows - from);
      double[] x = new double[n * 4];
      double[] y = new double[n];
      for (int row = 0; row < n; row++) {
        double eta = 0;
        for (int j = 0; j < 4; j++) {
          x[row * 4 + j] = j == 0 ? 1 : random.nextGaussian();
          eta += x[row * 4 + j] * theta[j];
        }
        y[row] = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
      }
      blocks.add(new DenseBlock(blocks.size(), 4, x, y, null));
    }
    return blocks;
  }

  private static JavaRDD<DataBlock> distributed(List<DataBlock> blocks, BlockRanges ranges) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(blocks, 3)
        .mapToPair(block -> new Tuple2<>(block.id(), block))
        .repartitionAndSortWithinPartitions(ranges)
        .values();
  }

  /** What one run of the job computes, and where to. */
  private record Wish(ModelOfTable model, String output, boolean overwrite) {
    BoundsArtefact run(PreparedTable table, Consumer<String> progress) {
      return PrecomputeJob.run(spark, table, model, null, CONFIG, output, overwrite, progress);
    }
  }

  private static List<UnivariatePrior> densities(List<String> priors) {
    return priors.stream().map(PriorParser::parse).toList();
  }

  private static ModelOfTable logistic(List<String> columns, List<String> priors) {
    Map<String, String> byName =
        IntStream.range(0, priors.size()).boxed().collect(toMap(columns::get, priors::get));
    return ModelOfTable.of(
        LOGISTIC, columns, PriorConfig.of("flat", byName, PriorConfig.Scale.STANDARDIZED), null);
  }

  private Wish wish(String name, List<String> priors, boolean overwrite) {
    return new Wish(logistic(COLUMNS, priors), folder.resolve(name).toString(), overwrite);
  }

  private BoundsArtefact run(
      List<DataBlock> blocks, int partitions, Wish wish, List<String> progress) {
    BlockRanges ranges = new BlockRanges(blocks.size(), partitions);
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    TableFacts facts = new TableFacts("print-1", COLUMNS, rows);
    return wish.run(new PreparedTable(distributed(blocks, ranges), ranges, facts), progress::add);
  }

  /** All quadratics by a plain loop over the blocks. */
  private static CollapsePass collapse(List<DataBlock> blocks, MapFit fit, double radius) {
    double[] mode = fit.theta();
    LowerBound local = new LocalLogisticBound(fit.laplace(), radius);
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    int length = CollapsePass.length(4);
    for (DataBlock block : blocks) {
      double[] out = new double[length];
      CollapsePass.addTo(local, true, mode, block, out);
      sum.add(block.id(), out);
    }
    return CollapsePass.split(mode, true, TreeSum.total(sum.nodes(), length));
  }

  private static void assertBits(double[] expected, double[] actual) {
    // assertArrayEquals compares doubles by their bits.
    assertArrayEquals(expected, actual);
  }

  private void assertSameAsInMemory(List<DataBlock> blocks, int wanted, int partitions) {
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    ChosenRows chosen =
        new ChosenRows((double) wanted / rows, new Streams(0), Streams.Purpose.MODE_ROWS);
    List<DataBlock> sample =
        chosen.of(distributed(blocks, new BlockRanges(blocks.size(), 3))).collect();
    long sampledRows = sample.stream().mapToLong(DataBlock::rows).sum();
    MapFit expected =
        new MapFinder(ProductPrior.parse(PRIORS), COLUMNS, 1e-4, 100)
            .find(
                Objective.of(blocks, MODEL, 1),
                wanted == 0 ? null : Objective.of(sample, MODEL, (double) rows / sampledRows),
                pass -> {});
    List<String> progress = new ArrayList<>();
    BoundsArtefact actual =
        run(blocks, partitions, wish("bits-" + rows + "-" + partitions, PRIORS, false), progress);
    CollapsePass collapsed = collapse(blocks, expected, actual.radius());
    assertBits(expected.theta(), actual.theta());
    assertBits(expected.covariance(), actual.fit().covariance());
    assertEquals(expected.history(), actual.fit().history());
    assertTrue(actual.isLocal());
    assertBits(collapsed.lower().packed(), actual.collapsed().packed());
    // A normal posterior in four dimensions has exp(−R²/2)·(1 + R²/2) beyond R.
    double half = 0.5 * actual.radius() * actual.radius();
    assertEquals(0.01 / rows, Math.exp(-half) * (1 + half), 1e-9 / rows);
    assertEquals(expected.passes() + 1, actual.passes());
    assertEquals(
        actual.passes(), progress.stream().filter(line -> line.startsWith("pass ")).count());
  }

  @Test
  void anyNumberOfPartitionsGivesTheBitsOfThePlainLoop() {
    List<DataBlock> blocks = simulated(5_000, 128);
    for (int partitions : new int[] {1, 2, 8}) {
      assertSameAsInMemory(blocks, 0, partitions);
    }
  }

  @Test
  void soItDoesWithASubsampleToStartFrom() {
    List<DataBlock> blocks = simulated(110_000, 1024);
    for (int partitions : new int[] {1, 2, 8}) {
      assertSameAsInMemory(blocks, 20_000, partitions);
    }
  }

  @Test
  void theTunedBoundTouchesTheLogLikelihoodAtTheMode() {
    List<DataBlock> blocks = simulated(3_000, 256);
    BoundsArtefact artefact = run(blocks, 2, wish("tight", PRIORS, false), new ArrayList<>());
    double logPrior = ProductPrior.parse(PRIORS).logDensity(artefact.theta());
    double logLikelihood = artefact.fit().logPosterior() - logPrior;
    assertEquals(logLikelihood, artefact.collapsed().value(artefact.theta()), 1e-9);
    double[] gradient = new double[4];
    ProductPrior.parse(PRIORS).addGradient(artefact.theta(), gradient);
    artefact.collapsed().form().addGradient(artefact.theta(), gradient);
    for (int j = 0; j < 4; j++) {
      assertEquals(0, gradient[j] * artefact.fit().sd(j), 1e-3, "the gradient is 0 at the mode");
    }
  }

  @Test
  void whatIsWrittenIsReadBackBitForBit() {
    Wish wish = wish("round", PRIORS, false);
    BoundsArtefact written = run(simulated(2_000, 256), 2, wish, new ArrayList<>());
    BoundsArtefact read = BoundsArtefact.read(spark, wish.output());
    assertBits(written.theta(), read.theta());
    assertBits(written.fit().covariance(), read.fit().covariance());
    assertBits(written.collapsed().packed(), read.collapsed().packed());
    assertBits(written.theta(), read.collapsed().origin());
    assertEquals(written.fit().history(), read.fit().history());
    assertEquals(written.fit().logPosterior(), read.fit().logPosterior());
    assertEquals(written.table(), read.table());
    assertEquals(written.model(), read.model());
    assertEquals(written.libraryVersion(), read.libraryVersion());
    assertEquals(written.passes(), read.passes());
    read.requireMatches("print-1", LOGISTIC, densities(PRIORS), COLUMNS);
    read.requireMatches(
        "print-1",
        LOGISTIC,
        densities(List.of("Cauchy( 0,10 )", NORMAL, "normal(0.0,2.50)", "FLAT")),
        COLUMNS);
  }

  @Test
  void everyDoubleSurvivesStorage() {
    double[] theta = {Math.PI, -0.0, Double.MIN_VALUE, 1e308};
    double[] covariance = new double[16];
    Arrays.setAll(covariance, k -> k % 5 == 0 ? 1.0 / 3 : 0.1 / 3);
    int length = CollapsedQuadratic.packedLength(4);
    double[] packed = new double[length];
    Arrays.setAll(packed, k -> Math.nextUp(-Math.exp(k)));
    BoundsArtefact written =
        new BoundsArtefact(
            "x",
            new ModelFacts(LOGISTIC, COLUMNS, ModelFacts.texts(densities(PRIORS))),
            new TableFacts("p", COLUMNS, 7),
            new MapFit(new LaplaceApproximation(theta, covariance), -1.0 / 3, List.of()),
            1.0 / 7,
            new CollapsePass(new CollapsedQuadratic(theta, packed), true, null),
            new LaplaceApproximation(theta, covariance),
            null);
    String output = folder.resolve("doubles").toString();
    new ArtefactFolder(spark, output).write(written, false);
    BoundsArtefact read = BoundsArtefact.read(spark, output);
    assertBits(theta, read.theta());
    assertBits(covariance, read.fit().covariance());
    assertBits(packed, read.collapsed().packed());
    assertTrue(read.isLocal());
    LaplaceApproximation earlier = Objects.requireNonNull(read.earlier());
    assertBits(theta, earlier.mode());
    assertBits(covariance, earlier.covariance());
    assertEquals(1.0 / 7, read.radius());
    assertEquals(-1.0 / 3, read.fit().logPosterior());
  }

  /**
   * Flips bits of the matrices and of the document: they are refused, or are the same. Every 37th
   * byte; {@code -Dlampyris.validation=all} has every byte flipped.
   */
  @Test
  void aFlippedByteIsToldOrChangesNothing() throws IOException {
    spark
        .sparkContext()
        .hadoopConfiguration()
        .set("parquet.page.verify-checksum.enabled", "true"); // as Session has it
    Wish wish = wish("flipped", PRIORS, false);
    run(simulated(500, 100), 1, wish, new ArrayList<>());
    BoundsArtefact expected = BoundsArtefact.read(spark, wish.output());
    assertTrue(expected.isLocal());
    int stride = "all".equals(System.getProperty("lampyris.validation")) ? 1 : 37;
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(wish.output()))) {
      files = all.filter(file -> file.toString().matches(".*\\.(json|parquet)")).toList();
    }
    assertEquals(2, files.size(), files.toString());
    for (Path file : files) {
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
      byte[] whole = Files.readAllBytes(file);
      int told = 0;
      for (int at = 0; at < whole.length; at += stride) {
        byte[] bytes = whole.clone();
        bytes[at] ^= 0x55;
        Files.write(file, bytes);
        BoundsArtefact read;
        try {
          read = BoundsArtefact.read(spark, wish.output());
        } catch (Exception e) {
          told++;
          continue;
        }
        assertBits(expected.theta(), read.theta());
        assertBits(expected.fit().covariance(), read.fit().covariance());
        assertBits(expected.collapsed().packed(), read.collapsed().packed());
        assertTrue(read.isLocal());
        assertEquals(expected.radius(), read.radius());
        assertEquals(expected.table(), read.table());
        assertEquals(expected.model(), read.model());
      }
      Files.write(file, whole);
      assertTrue(told > whole.length / stride / 3, told + " of " + file);
    }
  }

  @Test
  void otherDataAnotherModelOrAnotherPriorIsRefused() {
    BoundsArtefact a =
        run(simulated(2_000, 256), 2, wish("other", PRIORS, false), new ArrayList<>());
    assertMismatch(a, "print-2", LOGISTIC, PRIORS, COLUMNS, "print-1", "print-2");
    assertMismatch(a, "print-1", FamilySpec.of("softmax"), PRIORS, COLUMNS, "logistic", "softmax");
    List<String> priors = List.of("cauchy(0, 10)", "normal(0, 3)", NORMAL, "flat");
    assertMismatch(
        a, "print-1", LOGISTIC, priors, COLUMNS, "\"age\"", "normal(0.0, 3.0)", NORMAL_CANONICAL);
    List<String> columns = List.of("(Intercept)", "price", "age", "share");
    assertMismatch(a, "print-1", LOGISTIC, PRIORS, columns, "[(Intercept), price, age, share]");
    List<String> fewer = List.of("(Intercept)");
    assertMismatch(a, "print-1", LOGISTIC, List.of("flat"), fewer, "[(Intercept)]");
  }

  private static void assertMismatch(
      BoundsArtefact artefact,
      String fingerprint,
      FamilySpec family,
      List<String> priors,
      List<String> columns,
      String... parts) {
    UserException e =
        assertThrows(
            UserException.class,
            () -> artefact.requireMatches(fingerprint, family, densities(priors), columns));
    assertEquals(UserException.Kind.DATA, e.kind());
    assertMentions(e, "Run precompute again");
    assertMentions(e, parts);
  }

  private static void assertMentions(Exception e, String... parts) {
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  @Test
  void anExistingFolderIsOnlyReplacedWhenAskedTo() throws IOException {
    List<DataBlock> blocks = simulated(2_000, 256);
    Wish wish = wish("twice", PRIORS, false);
    run(blocks, 2, wish, new ArrayList<>());
    byte[] first = Files.readAllBytes(Path.of(wish.output(), "bounds.json"));
    List<String> progress = new ArrayList<>();
    UserException e = assertThrows(UserException.class, () -> run(blocks, 2, wish, progress));
    assertEquals(UserException.Kind.USAGE, e.kind());
    assertMentions(e, wish.output(), "--overwrite");
    assertEquals(List.of(), progress, "before any pass");
    assertArrayEquals(first, Files.readAllBytes(Path.of(wish.output(), "bounds.json")));
    List<String> other = Collections.nCopies(4, "normal(0, 1)");
    run(blocks, 2, wish("twice", other, true), new ArrayList<>());
    assertEquals(
        List.of("normal(0.0, 1.0)", "normal(0.0, 1.0)", "normal(0.0, 1.0)", "normal(0.0, 1.0)"),
        BoundsArtefact.read(spark, wish.output()).model().priors());
    assertEquals(List.of("twice"), names(folder));
  }

  @Test
  void aFolderThatHoldsSomethingElseIsNotReplaced() throws IOException {
    Path mine = folder.resolve("mine");
    Files.createDirectories(mine);
    Files.writeString(mine.resolve("thesis.tex"), "...", StandardCharsets.UTF_8);
    UserException e =
        assertThrows(
            UserException.class,
            () -> run(simulated(500, 100), 1, wish("mine", PRIORS, true), new ArrayList<>()));
    assertMentions(e, "is not an earlier output");
    assertTrue(Files.exists(mine.resolve("thesis.tex")));
  }

  @Test
  void aSearchWithoutAModeLeavesNothingBehind() throws IOException {
    double[] x = {1, 2, 1, 1, 1, -1, 1, 3, 1, -2, 1, -1};
    DataBlock separated = new DenseBlock(0, 2, x, new double[] {1, 1, -1, 1, -1, -1}, null);
    BlockRanges ranges = new BlockRanges(1, 1);
    List<String> columns = List.of("(Intercept)", "age");
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                new Wish(
                        logistic(columns, List.of("flat", "flat")),
                        folder.resolve("none").toString(),
                        false)
                    .run(
                        new PreparedTable(
                            distributed(List.of(separated), ranges),
                            ranges,
                            new TableFacts("p", columns, 6)),
                        line -> {}));
    assertEquals(UserException.Kind.DATA, e.kind());
    assertMentions(e, "\"age\" goes to infinity");
    assertEquals(List.of(), names(folder));
  }

  /** A row whose counts are negative has no likelihood where the search begins. */
  @Test
  void aRowWithoutALikelihoodAtTheStartIsNamed() throws IOException {
    double[] x = {1, 2, 1, 1, 1, -1, 1, 3};
    List<DataBlock> blocks =
        List.of(
            new DenseBlock(0, 2, x, new double[] {1, 0.2, 3, 4}, null),
            new DenseBlock(1, 2, x, new double[] {1, 2, -0.5, 4}, null));
    List<String> columns = List.of("(Intercept)", "age");
    BlockRanges ranges = new BlockRanges(2, 2);
    ModelOfTable gamma =
        ModelOfTable.of(
            FamilySpec.of("gamma").with("shape", 2.0),
            columns,
            PriorConfig.of("flat", Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    PreparedTable table =
        new PreparedTable(distributed(blocks, ranges), ranges, new TableFacts("p", columns, 8));
    String output = folder.resolve("none").toString();
    UserException e =
        assertThrows(
            UserException.class, () -> new Wish(gamma, output, false).run(table, line -> {}));
    assertEquals(UserException.Kind.DATA, e.kind());
    assertMentions(e, "row 2 of block 1, label -0.5", "Check the row's label");
    assertEquals(List.of(), names(folder));
  }

  @Test
  void anArtefactThatIsMissingDamagedOrOfAnotherVersionIsExplained() throws IOException {
    Wish wish = wish("damaged", PRIORS, false);
    run(simulated(500, 100), 1, wish, new ArrayList<>());
    String nowhere = folder.resolve("nowhere").toString();
    assertMentions(unreadable(nowhere), "holds no precomputed bounds", "run precompute first");

    Path json = Path.of(wish.output(), "bounds.json");
    String text = Files.readString(json, StandardCharsets.UTF_8);
    // Hadoop keeps a checksum beside a local file.
    Files.deleteIfExists(json.resolveSibling(".bounds.json.crc"));
    Files.writeString(
        json, text.replace("\"version\" : " + BoundsArtefact.VERSION, "\"version\" : 99"));
    assertMentions(
        unreadable(wish.output()),
        "version 99",
        "reads version " + BoundsArtefact.OLDEST + " to " + BoundsArtefact.VERSION,
        "precompute again");
    Files.writeString(
        json,
        text.replace("\"version\" : " + BoundsArtefact.VERSION, "\"version\" : 7")
            .replace("\"logistic\"", "\"negative_binomial\""));
    assertMentions(
        unreadable(wish.output()), "version 7", "for negative_binomial", "precompute again");
    Files.writeString(json, text.substring(0, text.length() / 2));
    assertMentions(unreadable(wish.output()), "damaged", "precompute again");
    Files.writeString(json, text.replace("\"share\"", "\"more\""));
    assertMentions(
        unreadable(wish.output()), "have changed since they were written", "precompute again");
    Files.writeString(json, text);
    assertEquals("share", BoundsArtefact.read(spark, wish.output()).table().columns().get(3));
    Files.move(Path.of(wish.output(), "matrices"), Path.of(wish.output(), "elsewhere"));
    assertMentions(unreadable(wish.output()), "matrices is missing", "precompute again");
  }

  private static UserException unreadable(String path) {
    UserException e = assertThrows(UserException.class, () -> BoundsArtefact.read(spark, path));
    assertEquals(UserException.Kind.DATA, e.kind());
    return e;
  }

  @Test
  void blocksAreKeptForTheJobsTimeOnly() {
    List<DataBlock> blocks = simulated(500, 100);
    BlockRanges ranges = new BlockRanges(blocks.size(), 2);
    JavaRDD<DataBlock> rdd = distributed(blocks, ranges);
    PreparedTable table = new PreparedTable(rdd, ranges, new TableFacts("p", COLUMNS, 500));
    List<StorageLevel> during = new ArrayList<>();
    wish("kept", PRIORS, false).run(table, line -> during.add(rdd.getStorageLevel()));
    assertFalse(during.contains(StorageLevel.NONE()));
    assertEquals(StorageLevel.NONE(), rdd.getStorageLevel());
    rdd.persist(StorageLevel.MEMORY_ONLY());
    wish("kept", PRIORS, true).run(table, line -> {});
    assertEquals(StorageLevel.MEMORY_ONLY(), rdd.getStorageLevel(), "the caller's to let go");
    rdd.unpersist();
  }

  private static List<String> names(Path path) throws IOException {
    try (Stream<Path> paths = Files.list(path)) {
      return paths.map(p -> String.valueOf(p.getFileName())).sorted().toList();
    }
  }
}
