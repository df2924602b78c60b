package org.lampyris.bounds.effects;

import java.util.List;

/**
 * Coefficients b ~ N(0, τ²) independently, whose standard deviation τ is drawn too.
 *
 * @param sd the name under which τ is reported
 * @param columns the columns of the table whose coefficients they are
 */
public record SharedScale(String sd, List<String> columns) {
  /** Copies the list. */
  public SharedScale {
    columns = List.copyOf(columns);
  }
}
