package org.lampyris.driver.config;

import org.jspecify.annotations.Nullable;

/** A key without a default that some commands cannot do without. */
public enum Need {
  /** The table to read. */
  INPUT("data.input", "data: {input: table.csv}"),
  /** The label's column. */
  LABEL("data.label", "data: {label: clicked}"),
  /** The folder of the results. */
  OUTPUT("output", "output: runs/first"),
  /** The folder of the prepared table, which follows from that of the results. */
  PREPARED("output", "output: runs/first"),
  /** The folder of the bounds artefact, which follows from that of the results. */
  BOUNDS("output", "output: runs/first"),
  /** The folder of the generated table. */
  GENERATE_OUTPUT("generate.output", "generate: {output: tables/synthetic}");

  private final String key;
  private final String example;

  Need(String key, String example) {
    this.key = key;
    this.example = example;
  }

  boolean isMetBy(JobConfig config) {
    return valueIn(config) != null;
  }

  private @Nullable String valueIn(JobConfig config) {
    return switch (this) {
      case INPUT -> config.data().source().input();
      case LABEL -> config.data().columns().label();
      case OUTPUT -> config.output();
      case PREPARED -> config.prepared();
      case BOUNDS -> config.bounds();
      case GENERATE_OUTPUT -> config.generate().output();
    };
  }

  String key() {
    return key;
  }

  String example() {
    return example;
  }
}
