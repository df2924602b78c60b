package org.lampyris.driver.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.InferenceGroup;
import org.lampyris.driver.output.RunOutput;

/**
 * ArviZ's groups of a run that need the model or rows of its table. Each response and each
 * log-likelihood has the dimensions chains × draws × rows, and the label's name.
 *
 * <p>The draws of a run from the prior are the group {@code prior} already, and the responses by
 * them are {@code prior_predictive}.
 */
public final class InferenceGroups {
  /** Group of ArviZ's InferenceData, in the order in which they are written. */
  public enum Kind {
    /** log p(y | x, θ_s) of each row. */
    LOG_LIKELIHOOD,
    /** A response of each row by each posterior draw. */
    POSTERIOR_PREDICTIVE,
    /** Parameters that are drawn from the prior. */
    PRIOR,
    /** A response of each row by each draw from the prior. */
    PRIOR_PREDICTIVE,
    /** The responses of the rows. */
    OBSERVED_DATA,
    /** The columns of the rows. */
    CONSTANT_DATA;

    /** Returns ArviZ's name of the group. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Groups that are wanted.
   *
   * @param rows about how many rows; all if the table does not have so many
   * @param draws how many draws at most, evenly thinned
   */
  public record Wanted(Set<Kind> kinds, int rows, int draws) {
    /**
     * Checks the numbers.
     *
     * @throws UserException (usage) that names the option
     */
    public Wanted {
      kinds = Set.copyOf(kinds);
      if (rows < 1 || draws < 1) {
        throw UserException.usage(
            "--rows %s and --draws %s leave nothing to export. Set both to at least 1."
                .formatted(rows, draws));
      }
    }

    /** Returns those of some groups that are wanted, in order. */
    private List<Kind> among(Kind... of) {
      return Stream.of(of).filter(kinds::contains).toList();
    }
  }

  /**
   * Groups that are ready to be written.
   *
   * @param lines what they hold, in sentences
   */
  public record Made(List<InferenceGroup> groups, List<String> lines) {
    /** No groups. */
    public static final Made NONE = new Made(List.of(), List.of());

    /** Copies the lists. */
    public Made {
      groups = List.copyOf(groups);
      lines = List.copyOf(lines);
    }
  }

  private final RunOutput.Fitted fitted;
  private final Wanted wanted;

  /** Groups that need the run's draws, and groups that need others, from the prior. */
  private final List<Kind> ofRun;

  private final List<Kind> ofPrior;
  private final InferenceRows rows;
  private final @Nullable AskedDraws draws;
  private final @Nullable PriorSample prior;

  private InferenceGroups(RowReader reader, RunOutput.Fitted fitted, Wanted wanted)
      throws IOException {
    this.fitted = fitted;
    this.wanted = wanted;
    boolean priorOnly = fitted.run().isPriorOnly();
    if (priorOnly && wanted.kinds.contains(Kind.POSTERIOR_PREDICTIVE)) {
      throw UserException.usage(
          "%s has draws from the prior alone (sampler.prior_only), so it has no group posterior_predictive. Set --groups to prior_predictive."
              .formatted(fitted.run().folder()));
    }
    ofRun =
        wanted.among(
            Kind.LOG_LIKELIHOOD, priorOnly ? Kind.PRIOR_PREDICTIVE : Kind.POSTERIOR_PREDICTIVE);
    ofPrior = priorOnly ? List.of() : wanted.among(Kind.PRIOR, Kind.PRIOR_PREDICTIVE);
    if (!ofRun.isEmpty()) {
      reader.require(fitted);
    }
    RowSample sample =
        ofRows().isEmpty()
            ? new RowSample(List.of(), fitted.schema().rows())
            : reader.draw(fitted, wanted.rows);
    rows = new InferenceRows(fitted, sample, wanted.rows);
    prior = ofPrior.isEmpty() ? null : PriorSample.of(fitted, wanted.draws);
    draws = ofRun.isEmpty() ? null : AskedDraws.ofRun(reader, fitted, sample, wanted.draws);
    if (wanted.kinds.contains(Kind.OBSERVED_DATA)) {
      rows.requireResponses();
    }
  }

  /**
   * Makes groups. Rows and draws are read here; what follows from them is computed as it is
   * written.
   *
   * @throws UserException if the run has not ended, its table is gone, its model cannot draw
   *     responses, or a prior is improper
   */
  public static Made of(RowReader reader, RunOutput run, Wanted wanted) throws IOException {
    InferenceGroups groups = new InferenceGroups(reader, run.model(), wanted);
    List<InferenceGroup> all = new ArrayList<>();
    for (Kind kind : wanted.among(Kind.values())) {
      if (kind != Kind.PRIOR || groups.prior != null) {
        all.add(groups.group(kind));
      }
    }
    return new Made(all, groups.lines());
  }

  private List<Kind> ofRows() {
    return wanted.among(Kind.values()).stream().filter(kind -> kind != Kind.PRIOR).toList();
  }

  private InferenceGroup group(Kind kind) {
    String name = kind.text();
    return switch (kind) {
      case LOG_LIKELIHOOD ->
          RowsByDraws.logLikelihoods(name, fitted, rows, Objects.requireNonNull(draws));
      case POSTERIOR_PREDICTIVE, PRIOR_PREDICTIVE ->
          RowsByDraws.responses(
              name,
              fitted,
              rows,
              ofRun.contains(kind)
                  ? Objects.requireNonNull(draws)
                  : AskedDraws.of(fitted, Objects.requireNonNull(prior)));
      case PRIOR -> new Variables(name, Objects.requireNonNull(prior).parameters(), true, false);
      case OBSERVED_DATA -> {
        double[] y = IntStream.range(0, rows.size()).mapToDouble(rows::response).toArray();
        Map<String, double[]> response = Map.of(fitted.schema().label().column(), y);
        yield new Variables(name, response, false, rows.isWhole());
      }
      case CONSTANT_DATA -> new Variables(name, rows.columns(), false, false);
    };
  }

  /**
   * Group of variables that are there.
   *
   * @param chain whether they are draws of one chain
   * @param whole whether they are whole numbers
   */
  private record Variables(String name, Map<String, double[]> values, boolean chain, boolean whole)
      implements InferenceGroup {
    @Override
    public void write(JsonGenerator json) throws IOException {
      for (Map.Entry<String, double[]> one : values.entrySet()) {
        json.writeFieldName(one.getKey());
        if (chain) {
          json.writeStartArray();
        }
        RowsByDraws.write(json, one.getValue(), whole);
        if (chain) {
          json.writeEndArray();
        }
      }
    }
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!ofRows().isEmpty()) {
      lines.add(
          Text.of(
              "Rows in %s: %,d of %,d. Set --rows to change this.",
              listed(ofRows()), rows.size(), fitted.schema().inputRows()));
    }
    if (draws != null) {
      RunOutput run = fitted.run();
      lines.add(
          Text.of(
              "Draws in %s: %,d of %,d. %s",
              listed(ofRun),
              draws.count(),
              run.chains() * run.drawsPerChain(),
              draws.shifts() == null
                  ? "Set --draws to change this."
                  : "Set --draws, or sampler.multilevel.keep_draws of the run, to change this."));
    }
    if (prior != null) {
      lines.add(
          Text.of("Draws in %s: %,d. Set --draws to change this.", listed(ofPrior), wanted.draws));
    }
    return lines;
  }

  private static String listed(List<Kind> kinds) {
    return ConfigText.listed(kinds.stream().map(Kind::text).toList(), "and");
  }
}
