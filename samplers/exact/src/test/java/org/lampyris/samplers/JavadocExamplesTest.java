package org.lampyris.samplers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** The complete classes in the Javadoc of what users implement compile, and do what is said. */
class JavadocExamplesTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\\n((?: \\*.*\\n)*?) \\* }</pre>");

  @TempDir private Path folder;
  private @Nullable URLClassLoader loader;

  @AfterEach
  void close() throws IOException {
    if (loader != null) {
      loader.close();
    }
  }

  @Test
  void aFamilyIsItsModelAndTheLabel() throws Exception {
    Object example = example(ModelProvider.class, "Cloglog");
    ModelProvider family = (ModelProvider) example;
    Likelihood likelihood = (Likelihood) example;
    assertEquals(LabelKind.BINARY, family.label());
    assertEquals(2, family.model(FamilySpec.of("Cloglog"), List.of("a", "b")).dimension());
    double h = 1e-5;
    for (double eta : new double[] {-3, -0.5, 0, 1.2}) {
      double sum = Math.exp(likelihood.logLikelihood(eta, 1));
      assertEquals(1, sum + Math.exp(likelihood.logLikelihood(eta, -1)), 1e-15);
      for (double y : new double[] {-1, 1}) {
        double up = likelihood.logLikelihood(eta + h, y);
        double down = likelihood.logLikelihood(eta - h, y);
        assertEquals((up - down) / (2 * h), likelihood.derivative(eta, y), 1e-8);
        double slopes = likelihood.derivative(eta + h, y) - likelihood.derivative(eta - h, y);
        assertEquals(slopes / (2 * h), likelihood.secondDerivative(eta, y), 1e-8);
      }
    }
  }

  /**
   * Over 100 seeds the mean of 40,000 draws has an sd of 0.010 and that of squares one of 0.015:
   * the limits are five of each, a false alarm in a million.
   */
  @Test
  void aKernelLeavesItsTargetInvariant() throws Exception {
    ThetaKernelType type = (ThetaKernelType) example(ThetaKernelType.class, "Box$Type");
    assertEquals("box", type.name());
    ThetaKernel kernel =
        type.create(
            new ThetaKernelType.Setting(
                new LaplaceApproximation(new double[1], new double[] {1}),
                ProductPrior.shared(new UnivariatePrior.Flat(), 1),
                true,
                null,
                new OwnSettings(Map.of())));
    kernel = kernel.withStepSize(3 * kernel.stepSize());
    LogDensity normal =
        new LogDensity() {
          @Override
          public int dimension() {
            return 1;
          }

          @Override
          public void values(double[][] thetas, double[] out) {
            for (int i = 0; i < thetas.length; i++) {
              out[i] = -0.5 * thetas[i][0] * thetas[i][0];
            }
          }
        };
    var rng = new Streams(7).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    Point point = Point.at(new double[] {0.3});
    double sum = 0;
    double squares = 0;
    int draws = 40_000;
    for (int i = 0; i < draws; i++) {
      point = kernel.step(normal, point, rng).point();
      sum += point.theta()[0];
      squares += point.theta()[0] * point.theta()[0];
    }
    assertEquals(0, sum / draws, 0.05);
    assertEquals(1, squares / draws, 0.075);
  }

  /** The example is the algorithm metropolis under another name. */
  @Test
  void anAlgorithmDrawsAsItIsSaidTo() throws Exception {
    SamplingAlgorithm example = (SamplingAlgorithm) example(SamplingAlgorithm.class, "AllRows");
    MemoryRun table = new MemoryRun(LogisticTable.blocks(), List.of("a", "b", "c"), Map.of());
    Map<String, Object> sampler =
        Map.of("algorithm", "metropolis", "kernel", "mala", "warmup", 50, "draws", 50, "seed", 3);
    RunResult result = example.run(table.context(sampler), MemoryRun.settings(sampler).own());
    assertEquals("all-rows", example.name());
    assertEquals(
        Arrays.deepToString(draws(table.run(sampler))), Arrays.deepToString(draws(result)));
  }

  private static double[][] draws(RunResult result) {
    return result.chains().stream()
        .flatMap(trace -> trace.draws().stream())
        .toArray(double[][]::new);
  }

  /** Compiles the example in a type's Javadoc and makes an object of one of its classes. */
  private Object example(Class<?> type, String name) throws Exception {
    String inside = "src/main/java/" + type.getName().replace('.', '/') + ".java";
    Path file =
        Stream.of("../../bounds", "../engine")
            .map(module -> Path.of(module, inside))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    Matcher example = EXAMPLE.matcher(Files.readString(file));
    assertTrue(example.find(), "no example in " + file);
    String imports =
        Stream.of(
                "java.util",
                "org.apache.commons.rng",
                "org.lampyris.bounds.algebra",
                "org.lampyris.bounds.bound",
                "org.lampyris.bounds.config",
                "org.lampyris.bounds.family",
                "org.lampyris.bounds.laplace",
                "org.lampyris.bounds.model",
                "org.lampyris.bounds.prior",
                "org.lampyris.samplers.algorithm",
                "org.lampyris.samplers.chain",
                "org.lampyris.samplers.kernel",
                "org.lampyris.samplers.random",
                "org.lampyris.samplers.run")
            .map(room -> "import " + room + ".*;\n")
            .collect(Collectors.joining());
    Path source = folder.resolve(name.replaceFirst("\\$.*", "") + ".java");
    Files.writeString(source, imports + example.group(1).replaceAll("(?m)^ \\* ?", ""));
    compile(source);
    URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    loader = classes;
    return classes.loadClass(name).getDeclaredConstructor().newInstance();
  }

  private void compile(Path source) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, code, () -> said.toString(StandardCharsets.UTF_8));
  }
}
