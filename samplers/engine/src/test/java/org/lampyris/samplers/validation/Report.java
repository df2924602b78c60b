package org.lampyris.samplers.validation;

/** Prints the outcome of a proof in the long form, for {@code docs/validation.md}. */
public final class Report {

  private Report() {}

  /**
   * Prints a line, if the long form runs.
   *
   * @param proof what is proved
   * @param name of what
   * @param outcome the figures
   */
  @SuppressWarnings("SystemOut") // the long form's report
  public static void print(String proof, String name, Object outcome) {
    if (JointDistribution.isLong()) {
      System.out.println(proof + " | " + name + " | " + outcome);
    }
  }
}
