package org.lampyris.driver.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** An algorithm that makes its draws up, so that what they become can be foretold. */
public final class KnownEffects implements SamplingAlgorithm {
  static final String NAME = "known-effects";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.KNOWS_LOG_POSTERIOR, Trait.DRAWS_EFFECTS);
  }

  /**
   * Tells what it can of every group: the mean is the response summed over the group's rows, the
   * median that of z, and draws have what the groupings' parameters are behind θ.
   */
  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    List<String> names = new ArrayList<>();
    List<String> priors = new ArrayList<>();
    List<DataBlock> rows =
        context.<ArrayList<DataBlock>>carried(1, (task, blocks) -> new ArrayList<>(blocks)).get(0);
    List<TableEffects> random = context.model().random();
    for (int r = 0; r < random.size(); r++) {
      TableEffects effects = random.get(r);
      names.addAll(effects.effects().names());
      priors.addAll(effects.effects().priors());
      Map<Long, double[][]> sums = new HashMap<>();
      for (DataBlock block : rows) {
        for (int n = 0; n < block.rows(); n++) {
          double[][] of =
              sums.computeIfAbsent(
                  block.group(effects.grouping(), n), key -> new double[2][effects.size()]);
          for (int e = 0; e < effects.size(); e++) {
            of[0][e] += block.response(n);
            of[1][e] += effects.z(block, n, e);
          }
        }
      }
      int which = r;
      sums.forEach(
          (key, of) -> {
            for (int e = 0; e < effects.size(); e++) {
              double[] statistics = {of[0][e], 1, -1, of[1][e], 2, Double.NaN, 100};
              context.inputs().effects().add(which, key, e, statistics, new float[0]);
            }
          });
    }
    List<ChainTrace> chains = new ArrayList<>();
    int d = context.model().model().dimension();
    for (int c = 1; c <= context.chains(); c++) {
      ChainTrace chain = new ChainTrace(c);
      for (int i = 0; i < context.inputs().chains().draws(); i++) {
        double[] draw = new double[d + names.size()];
        Arrays.setAll(draw, j -> j < d ? 0.5 : j - d + 10);
        draw[0] += i % 7;
        chain.add(draw, -i, new ChainTrace.Iteration(new StepInfo(1, 1, false), 0));
      }
      chains.add(chain);
    }
    return new RunResult(chains, new RunResult.Cost(1, 0, 1, 0), Map.of(), List.of(), null, null)
        .withBeyond(new RunResult.Beyond(names, priors));
  }

  /** Does something while the class path has this algorithm. */
  static <T> T with(Path folder, Supplier<T> work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    Path services = folder.resolve("jar/META-INF/services");
    try {
      Files.createDirectories(services);
      Files.writeString(
          services.resolve(SamplingAlgorithm.class.getName()), KnownEffects.class.getName());
      URL[] jar = {folder.resolve("jar").toUri().toURL()};
      try (URLClassLoader loader = new URLClassLoader(jar, before)) {
        thread.setContextClassLoader(loader);
        return work.get();
      } finally {
        thread.setContextClassLoader(before);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
