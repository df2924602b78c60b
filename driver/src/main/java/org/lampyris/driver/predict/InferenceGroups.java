package org.lampyris.driver.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.InferenceGroup;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.random.Streams;

/**
 * ArviZ's groups of a run that need the model or rows of its table. Each response and each
 * log-likelihood has the dimensions chains × draws × rows, and the label's name.
 *
 * <p>Cost rows · draws · columns multiplications a group. Memory holds some four million numbers at
 * once, however many rows and draws there are.
 */
public final class InferenceGroups {
  private static final int MOST = 4_000_000;
  private static final int CHUNK = 256;

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
    OBSERVED_DATA;

    private static final Set<Kind> FROM_PRIOR = EnumSet.of(PRIOR, PRIOR_PREDICTIVE);
    private static final Set<Kind> FROM_POSTERIOR =
        EnumSet.of(LOG_LIKELIHOOD, POSTERIOR_PREDICTIVE);

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
    /** Number of rows and of draws if none is given. */
    public static final int DEFAULT = 1_000;

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

    private boolean hasAny(Set<Kind> of) {
      return kinds.stream().anyMatch(of::contains);
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

  /**
   * Draws of θ that rows are asked about.
   *
   * @param reported S draws, chain after chain
   * @param shifts what effects of groups add to η, by the same draws; null where there are none
   * @param stream the number of the streams of responses
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Asked(
      double[][] reported, int chains, PredictiveCheck.@Nullable Shifts shifts, int stream) {}

  /** Values of rows by draws. */
  @FunctionalInterface
  private interface Values {
    /**
     * Writes values.
     *
     * @param rows from the first to the last, exclusive
     * @param draws likewise
     * @param values by draws, from the first one on, and rows. Modified.
     */
    void write(int[] rows, int[] draws, double[][] values);
  }

  private final RunOutput.Fitted fitted;
  private final InferenceRows rows;
  private final String label;

  private InferenceGroups(RunOutput.Fitted fitted, InferenceRows rows) {
    this.fitted = fitted;
    this.rows = rows;
    label = fitted.schema().label().column();
  }

  /**
   * Makes groups. Rows and draws are read here; what follows from them is computed as it is
   * written.
   *
   * @throws UserException if the run has not ended, its table is gone, its model cannot draw
   *     responses, or a prior is improper
   */
  public static Made of(RowReader reader, RunOutput run, Wanted wanted) throws IOException {
    RunOutput.Fitted fitted = run.model();
    boolean ofPosterior = wanted.hasAny(Kind.FROM_POSTERIOR);
    boolean ofRows = !wanted.kinds.equals(Set.of(Kind.PRIOR));
    if (ofPosterior) {
      reader.require(fitted);
    }
    RowSample sample =
        ofRows
            ? reader.draw(fitted, wanted.rows)
            : new RowSample(List.of(), fitted.schema().rows());
    InferenceGroups groups =
        new InferenceGroups(fitted, new InferenceRows(fitted, sample, wanted.rows));
    PriorSample prior =
        wanted.hasAny(Kind.FROM_PRIOR) ? PriorSample.of(fitted, wanted.draws) : null;
    Asked posterior = ofPosterior ? posterior(reader, fitted, sample, wanted.draws) : null;
    if (wanted.kinds.contains(Kind.POSTERIOR_PREDICTIVE)
        || wanted.kinds.contains(Kind.PRIOR_PREDICTIVE)) {
      groups.requireResponses();
    }
    if (wanted.kinds.contains(Kind.OBSERVED_DATA)) {
      groups.rows.requireResponses();
    }
    List<InferenceGroup> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (wanted.kinds.contains(kind)) {
        all.add(groups.group(kind, posterior, prior));
      }
    }
    return new Made(all, groups.lines(wanted, posterior));
  }

  /** Returns equally many draws of each chain, with the effects that belong to them. */
  private static Asked posterior(
      RowReader reader, RunOutput.Fitted fitted, RowSample sample, int wanted) throws IOException {
    KnownShifts shifts = reader.shifts(fitted, wanted, sample.blocks());
    if (shifts != null) {
      return new Asked(shifts.thetas(), shifts.chains(), shifts::of, 3);
    }
    RunOutput run = fitted.run();
    long all = run.chains() * run.drawsPerChain();
    Draws draws = run.draws((int) Math.max(1, all / wanted));
    int each = Math.min(draws.perChain(), Math.max(1, wanted / draws.chains()));
    double[][] thinned =
        PosteriorPredictor.thinned(draws, fitted.model().coefficients(), each * draws.chains());
    return new Asked(thinned, draws.chains(), null, 3);
  }

  private Asked prior(PriorSample prior) {
    boolean effects = fitted.hasEffects();
    double[][] thetas =
        PosteriorPredictor.thinned(
            prior.draws(), fitted.model().coefficients(), prior.draws().perChain());
    return new Asked(thetas, 1, effects ? prior::shift : null, 4);
  }

  private Expectation expectation() {
    return fitted
        .model()
        .expectation()
        .orElseThrow(
            () ->
                UserException.usage(
                    "Family %s defines no expectation(), so it cannot draw responses. Leave posterior_predictive and prior_predictive out of --groups."
                        .formatted(fitted.model().spec().name())));
  }

  private boolean isOfClasses() {
    return fitted.schema().label().kind() == LabelKind.CLASSES;
  }

  private int outputs() {
    return isOfClasses() ? fitted.schema().label().classes().size() : 1;
  }

  private void requireResponses() {
    expectation();
    rows.requireResponses();
  }

  private InferenceGroup group(Kind kind, @Nullable Asked posterior, @Nullable PriorSample prior) {
    return switch (kind) {
      case LOG_LIKELIHOOD -> {
        Asked of = Objects.requireNonNull(posterior);
        yield group(kind, json -> write(json, of, logLikelihoods(of), false));
      }
      case POSTERIOR_PREDICTIVE -> {
        Asked of = Objects.requireNonNull(posterior);
        yield group(kind, json -> write(json, of, responses(of), rows.isWhole()));
      }
      case PRIOR -> {
        Draws of = Objects.requireNonNull(prior).draws();
        yield group(kind, json -> write(json, of));
      }
      case PRIOR_PREDICTIVE -> {
        Asked of = prior(Objects.requireNonNull(prior));
        yield group(kind, json -> write(json, of, responses(of), rows.isWhole()));
      }
      case OBSERVED_DATA ->
          group(
              kind,
              json -> {
                double[] y = IntStream.range(0, rows.size()).mapToDouble(rows::response).toArray();
                json.writeFieldName(label);
                write(json, y, rows.isWhole());
              });
    };
  }

  /** Content of a group. */
  @FunctionalInterface
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  private static InferenceGroup group(Kind kind, Content content) {
    return new InferenceGroup() {
      @Override
      public String name() {
        return kind.text();
      }

      @Override
      public void write(JsonGenerator json) throws IOException {
        content.write(json);
      }
    };
  }

  private Values logLikelihoods(Asked of) {
    double[][] thetas =
        Arrays.stream(of.reported)
            .map(draw -> fitted.model().fromInput(draw, fitted.schema().centers()))
            .toArray(double[][]::new);
    return (rowRange, drawRange, values) -> {
      for (int i = rowRange[0]; i < rowRange[1]; i++) {
        double[] shift = of.shifts == null ? null : of.shifts.of(rows.block(i), rows.row(i));
        for (int s = drawRange[0]; s < drawRange[1]; s++) {
          values[s - drawRange[0]][i] =
              rows.logLikelihood(i, thetas[s], shift == null ? 0 : shift[s]);
        }
      }
    };
  }

  /** Returns responses, each from the stream of its draw and row. */
  private Values responses(Asked of) {
    Expectation expectation = expectation();
    Streams streams = new Streams(fitted.job().sampler().run().seed());
    int columns = fitted.schema().columns().size();
    return (rowRange, drawRange, values) -> {
      double[][] draws = Arrays.copyOfRange(of.reported, drawRange[0], drawRange[1]);
      PosteriorPredictor.Row room =
          new PosteriorPredictor(
                  expectation, draws, columns, fitted.model().predictors(), outputs(), 0.9)
              .row();
      double[] x = new double[columns];
      for (int i = rowRange[0]; i < rowRange[1]; i++) {
        rows.input(i, x);
        double[] shift =
            of.shifts == null
                ? null
                : Arrays.copyOfRange(
                    of.shifts.of(rows.block(i), rows.row(i)), drawRange[0], drawRange[1]);
        double[][] expected = room.expected(x, rows.block(i).offset(rows.row(i)), shift);
        for (int s = 0; s < draws.length; s++) {
          var rng = streams.stream(Streams.Purpose.REPLICATES, of.stream, drawRange[0] + s + 1L, i);
          values[s][i] =
              isOfClasses()
                  ? Responses.draw(expected, s, rng)
                  : Responses.draw(
                      Replicates.response(expectation, expected[0][s], draws[s])
                          .orElseThrow(this::hasNoDistribution),
                      rows.trials(i),
                      rng);
        }
      }
    };
  }

  private UserException hasNoDistribution() {
    return UserException.usage(
        "Family %s defines neither response() nor variance(), so it cannot draw responses. Leave posterior_predictive and prior_predictive out of --groups."
            .formatted(fitted.model().spec().name()));
  }

  /** Writes a variable as chains × draws × rows, some draws at a time. */
  private void write(JsonGenerator json, Asked of, Values values, boolean whole)
      throws IOException {
    int each = of.reported.length / of.chains;
    int batch = Math.max(1, MOST / Math.max(1, rows.size()));
    int chunks = (rows.size() + CHUNK - 1) / CHUNK;
    json.writeArrayFieldStart(label);
    for (int chain = 0; chain < of.chains; chain++) {
      json.writeStartArray();
      int end = (chain + 1) * each;
      for (int from = chain * each; from < end; from += batch) {
        int[] draws = {from, Math.min(end, from + batch)};
        double[][] some = new double[draws[1] - from][rows.size()];
        IntStream.range(0, chunks)
            .parallel()
            .forEach(
                chunk -> {
                  int[] of256 = {chunk * CHUNK, Math.min(rows.size(), (chunk + 1) * CHUNK)};
                  values.write(of256, draws, some);
                });
        for (double[] one : some) {
          write(json, one, whole);
        }
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, double[] values, boolean whole) throws IOException {
    json.writeStartArray();
    for (double value : values) {
      if (whole && Math.abs(value) < Long.MAX_VALUE) {
        json.writeNumber((long) value);
      } else {
        json.writeNumber(value);
      }
    }
    json.writeEndArray();
  }

  /** Writes each parameter as one chain. */
  private static void write(JsonGenerator json, Draws draws) throws IOException {
    for (int j = 0; j < draws.variables().size(); j++) {
      json.writeArrayFieldStart(draws.variables().get(j));
      write(json, draws.values()[j][0], false);
      json.writeEndArray();
    }
  }

  private List<String> lines(Wanted wanted, @Nullable Asked posterior) {
    List<String> lines = new ArrayList<>();
    List<String> ofRows = names(wanted, EnumSet.complementOf(EnumSet.of(Kind.PRIOR)));
    if (!ofRows.isEmpty()) {
      lines.add(
          Text.of(
              "Rows in %s: %,d of %,d. Set --rows to change this.",
              ConfigText.listed(ofRows, "and"), rows.size(), fitted.schema().inputRows()));
    }
    if (posterior != null) {
      RunOutput run = fitted.run();
      lines.add(
          Text.of(
              "Draws in %s: %,d of %,d. %s",
              ConfigText.listed(names(wanted, Kind.FROM_POSTERIOR), "and"),
              posterior.reported.length,
              run.chains() * run.drawsPerChain(),
              posterior.shifts == null
                  ? "Set --draws to change this."
                  : "Set --draws, or sampler.multilevel.keep_draws of the run, to change this."));
    }
    if (wanted.hasAny(Kind.FROM_PRIOR)) {
      lines.add(
          Text.of(
              "Draws in %s: %,d. Set --draws to change this.",
              ConfigText.listed(names(wanted, Kind.FROM_PRIOR), "and"), wanted.draws));
    }
    return lines;
  }

  private static List<String> names(Wanted wanted, Set<Kind> of) {
    return Arrays.stream(Kind.values())
        .filter(kind -> of.contains(kind) && wanted.kinds.contains(kind))
        .map(Kind::text)
        .toList();
  }
}
