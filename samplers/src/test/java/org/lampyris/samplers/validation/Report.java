package org.lampyris.samplers.validation;

/** Prints the outcome of a proof in the long form, for {@code docs/validation.md}. */
final class Report {

  private Report() {}

  /** Prints a line, if the long form runs. */
  @SuppressWarnings("SystemOut") // the long form's report
  static void print(String proof, String name, Object outcome) {
    if (JointDistribution.isLong()) {
      System.out.println(proof + " | " + name + " | " + outcome);
    }
  }
}
