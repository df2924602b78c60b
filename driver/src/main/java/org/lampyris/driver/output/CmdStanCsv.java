package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import org.lampyris.bounds.config.Text;

/**
 * Chain in CmdStan's CSV format: remarks on the sampler, a header that starts with the sampler's
 * columns, a line for each draw. Unknown figures of an iteration are 0; {@code lp__} is NaN if the
 * run did not compute it.
 *
 * <p>CmdStan's variables have letters, digits and underscores. Its readers treat names as regular
 * expressions and points as array indices. {@link #names} therefore replaces all other characters
 * by underscores. The order of columns is the same as in {@code draws.csv}.
 */
final class CmdStanCsv {
  private static final List<String> OWN =
      List.of(
          "lp__",
          "accept_stat__",
          "stepsize__",
          "treedepth__",
          "n_leapfrog__",
          "divergent__",
          "energy__");

  private CmdStanCsv() {}

  /** Returns names that are different, and that CmdStan might have. */
  static List<String> names(List<String> names) {
    Set<String> taken = new HashSet<>(OWN);
    return names.stream()
        .map(
            name -> {
              String plain = name.replaceAll("[^\\p{L}\\p{N}_]+", "_").replaceAll("^_+|_+$", "");
              if (plain.isEmpty() || !Character.isLetter(plain.codePointAt(0))) {
                plain = "x" + plain;
              }
              String unique = plain;
              for (int k = 2; !taken.add(unique); k++) {
                unique = plain + "_" + k;
              }
              return unique;
            })
        .toList();
  }

  /** Writes a chain. */
  static void write(RunDraws run, int chain, Writer to) throws IOException {
    PrintWriter out = new PrintWriter(to);
    JsonNode manifest = run.run().manifest();
    int position = run.chains().indexOf(chain);
    double stepSize = manifest.path("chains").path(position).path("step_size").asDouble(Double.NaN);
    remarks(
        out,
        "stan_version_major = 2",
        "stan_version_minor = 35",
        "stan_version_patch = 0",
        Text.of(
            "made by Lampyris %s, sampler.algorithm %s; the hmc entries below are for programs that"
                + " read CmdStan's files",
            manifest.path("versions").path("lampyris").asText("?"),
            run.run().key("sampler.algorithm").asText("?")),
        "model = " + manifest.path("modelled").path("family").asText("model") + "_model",
        "method = sample (Default)",
        "  sample",
        "    num_samples = " + (long) run.perChain() * run.thin(),
        "    num_warmup = " + run.run().key("sampler.warmup").asInt(0),
        "    save_warmup = 0",
        "    thin = " + run.thin(),
        "    adapt",
        "      engaged = 1 (Default)",
        "    algorithm = hmc (Default)",
        "      hmc",
        "        engine = nuts (Default)",
        "        metric = diag_e (Default)",
        "id = " + chain,
        "data",
        "  file = " + run.run().fingerprint(),
        "init = 2 (Default)",
        "random",
        "  seed = " + manifest.path("seed").asText("0"),
        "output",
        "  file = chain-" + chain + ".csv");
    StringJoiner header = new StringJoiner(",");
    OWN.forEach(header::add);
    names(run.names()).forEach(header::add);
    out.print(header + "\n");
    remarks(out, "Adaptation terminated", "Step size = " + number(stepSize));
    String[] ones = new String[run.names().size()];
    Arrays.fill(ones, "1");
    remarks(out, "Diagonal elements of inverse mass matrix:", String.join(", ", ones));
    lines(run, chain, stepSize, out);
    JsonNode seconds = manifest.path("seconds");
    double warmup = seconds.path("warm-up").asDouble(0);
    double sampling = seconds.path("sample").asDouble(0);
    remarks(
        out,
        "",
        Text.of(" Elapsed Time: %.3f seconds (Warm-up)", warmup),
        Text.of("               %.3f seconds (Sampling)", sampling),
        Text.of("               %.3f seconds (Total)", warmup + sampling),
        "");
    out.flush();
    if (out.checkError()) {
      throw new IOException("the draws of chain " + chain + " cannot be written");
    }
  }

  private static void remarks(PrintWriter out, String... lines) {
    for (String line : lines) {
      out.print(line.isEmpty() ? "#\n" : "# " + line + "\n");
    }
  }

  private static void lines(RunDraws run, int chain, double stepSize, PrintWriter out)
      throws IOException {
    double[] logPosterior = run.logPosteriors()[run.chains().indexOf(chain)];
    RunDraws.Stats stats = run.stats().get(chain);
    AtomicInteger place = new AtomicInteger();
    run.read(
        chain,
        run.names(),
        draw -> {
          int i = place.getAndIncrement();
          if (i >= run.perChain()) {
            return;
          }
          StringBuilder line = new StringBuilder();
          line.append(number(logPosterior[i])).append(',');
          line.append(number(stats == null ? 0 : stats.acceptance()[i])).append(',');
          line.append(number(stepSize)).append(",0,0,");
          line.append(stats == null ? 0 : (int) stats.divergent()[i]).append(",0");
          for (double value : draw) {
            line.append(',').append(number(value));
          }
          out.print(line.append('\n'));
        });
  }

  /** Returns a number that reads back to the same bits. */
  private static String number(double value) {
    return Double.isNaN(value)
        ? "nan"
        : Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
  }
}
