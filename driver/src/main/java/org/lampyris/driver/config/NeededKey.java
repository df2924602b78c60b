package org.lampyris.driver.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A key without a default that some commands cannot do without. */
public enum NeededKey {
  /** The table to read. */
  INPUT("data.input", "data: {input: table.csv}", job -> job.data().source().input()),
  /** The label's column. */
  LABEL("data.label", "data: {label: clicked}", job -> job.data().columns().label()),
  /** The folder of the results. */
  OUTPUT("output", "output: runs/first", JobConfig::output),
  /** The folder of the prepared table; by default inside the output folder. */
  PREPARED("output", "output: runs/first", JobConfig::prepared),
  /** The folder of the bounds artefact; by default inside the output folder. */
  BOUNDS("output", "output: runs/first", JobConfig::bounds),
  /** The folder of the generated table. */
  GENERATE_OUTPUT(
      "generate.output", "generate: {output: tables/synthetic}", job -> job.generate().output());

  final String key;
  final String example;

  @SuppressWarnings("ImmutableEnumChecker") // a getter
  private final Function<JobConfig, @Nullable String> value;

  NeededKey(String key, String example, Function<JobConfig, @Nullable String> value) {
    this.key = key;
    this.example = example;
    this.value = value;
  }

  boolean isMetBy(JobConfig config) {
    return value.apply(config) != null;
  }
}
