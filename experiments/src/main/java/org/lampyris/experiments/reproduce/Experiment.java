package org.lampyris.experiments.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.experiments.pictures.Drawing;
import org.lampyris.experiments.study.ExperimentFile;

/**
 * An experiment: a configuration, and the rows of its table, each a few keys over it. The first row
 * is what the others are compared with.
 *
 * @param title what the table is called
 * @param file the name of the table's file in the folder of the data; null if it makes its own
 * @param tables tables that it makes, by name: all rows are run on each
 * @param signals what a table of mixed signals is made of; null for none
 * @param configuration the configuration, without input and output
 * @param rows the rows
 * @param quick settings over all rows, for a run that only shows that it works
 * @param measure what is measured beyond the table
 */
public record Experiment(
    String title,
    @Nullable String file,
    Map<String, MadeTable> tables,
    @Nullable Signals signals,
    Map<String, Object> configuration,
    List<Row> rows,
    List<String> quick,
    Measures measure) {

  /** The experiments that come with the library. */
  public static final List<String> NAMES =
      List.of(
          "mnist",
          "cifar3",
          "flights",
          "zoo",
          "austerity",
          "risk",
          "selection",
          "mixture",
          "running",
          "laplace",
          "shards",
          "divide",
          "ica",
          "worked",
          "points",
          "resampling",
          "pitfalls",
          "burn-in-mnist",
          "burn-in-cifar3",
          "burn-in-flights",
          "covtype",
          "covtype-gamma");

  /**
   * Test rows with their truth.
   *
   * @param test a file in the folder of the data, with the features
   * @param truth another, with the predictive means; null for the means of the first row
   * @param column the column that has them; null without a file
   */
  public record Predictive(String test, @Nullable String truth, @Nullable String column) {
    /** Reads the rows, and the truth. */
    PredictiveRisk read(String data) throws IOException {
      String rows = data + "/" + test;
      return truth == null
          ? PredictiveRisk.of(rows)
          : PredictiveRisk.read(rows, data + "/" + truth, Objects.requireNonNull(column));
    }
  }

  /**
   * Additional measures.
   *
   * @param totalVariation whether draws of two coefficients are held against the posterior by
   *     quadrature
   * @param predictive what the risk of a predictive mean is measured by; null for none
   * @param pictures pictures of the draws
   */
  public record Measures(
      boolean totalVariation, @Nullable Predictive predictive, List<Drawing> pictures) {
    static final Measures NOTHING = new Measures(false, null, List.of());

    /** Copies the list. */
    @SuppressWarnings("ConstantConditions") // Jackson passes null for what is missing.
    public Measures {
      pictures = pictures == null ? List.of() : List.copyOf(pictures);
    }
  }

  /**
   * A row of the table.
   *
   * @param name what it is called
   * @param settings keys over the configuration, as {@code --set} takes them
   * @param versus the name of a row, in addition to the first, to compare this one with; null for
   *     none
   * @param from the name of an earlier row, whose kept draws this one combines; null for none
   */
  public record Row(
      String name,
      @JsonProperty("set") List<String> settings,
      @Nullable String versus,
      @Nullable String from) {

    /** Checks that nothing is missing. */
    public Row {
      if (name == null || settings == null) {
        throw new IllegalArgumentException("a row needs name and set");
      }
      settings = List.copyOf(settings);
    }

    /** Returns the name as a folder's name. */
    public String folder() {
      return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
  }

  /** Checks that nothing is missing. */
  @SuppressWarnings("ConstantConditions") // Jackson passes null for what is missing.
  public Experiment {
    if (title == null || configuration == null || rows == null || rows.isEmpty()) {
      throw new IllegalArgumentException(
          "an experiment needs title, configuration and rows, one at least");
    }
    tables = tables == null ? Map.of() : new LinkedHashMap<>(tables);
    int sources = (file == null ? 0 : 1) + (tables.isEmpty() ? 0 : 1) + (signals == null ? 0 : 1);
    if (sources != 1) {
      throw new IllegalArgumentException("an experiment needs one of file, tables and signals");
    }
    measure = measure == null ? Measures.NOTHING : measure;
    rows = List.copyOf(rows);
    quick = quick == null ? List.of() : List.copyOf(quick);
    long folders = rows.stream().map(Row::folder).distinct().count();
    if (folders < rows.size()) {
      throw new IllegalArgumentException("two rows have the same name");
    }
    List<String> names = rows.stream().map(Row::name).toList();
    for (Row row : rows) {
      if (row.versus() != null && !names.contains(row.versus())) {
        throw new IllegalArgumentException("there is no row " + row.versus());
      }
      if (row.from() != null && !names.subList(0, names.indexOf(row.name())).contains(row.from())) {
        throw new IllegalArgumentException("there is no row " + row.from() + " before its use");
      }
    }
  }

  /**
   * Reads an experiment.
   *
   * @param name one of {@link #NAMES}, or a file
   * @param quick which value is taken where there are two
   * @throws UserException (usage) if there is none, or it cannot be read
   */
  public static Experiment read(String name, boolean quick) {
    return ExperimentFile.read(name, NAMES, quick, Experiment.class);
  }

  /** Returns the row of a name. */
  Row row(String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the configuration as YAML. */
  public String yaml() {
    return ExperimentFile.text(configuration);
  }
}
