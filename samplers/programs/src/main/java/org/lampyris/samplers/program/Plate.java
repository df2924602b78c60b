package org.lampyris.samplers.program;

/**
 * Plate of a program: a row of a table, or a group of observations, as the program's code reads it.
 */
public interface Plate {
  /** Draws a latent value; it is a single number. */
  Node latent(String name, Distribution distribution);

  /** Computes a number from others. */
  Node let(String name, Term formula);

  /**
   * Draws a number that is known.
   *
   * @param data reads the row's columns and response, and none of the program's values
   */
  Node observe(String name, Density density, Term data);

  /** Draws a vector that is known: some of the row's columns, {@code from … to − 1}. */
  Node observe(String name, Density density, int from, int to);
}
