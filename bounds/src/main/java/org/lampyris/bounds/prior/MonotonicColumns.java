package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns 1[x ≥ k], k = 1, …, D, of a monotonic effect mo(x) of an ordered x with levels 0, …,
 * D; or z·1[x ≥ k] of mo(x):z. Names of parameters are those of brms, with {@link #name} for x.
 *
 * @param name the effect's name, for instance "mox"
 * @param columns the names of the D columns, in the order of the levels
 */
public record MonotonicColumns(String name, List<String> columns) implements Serializable {
  /** Copies the list. */
  public MonotonicColumns {
    columns = List.copyOf(columns);
  }

  /**
   * Returns the columns of a term of a formula: {@code mo(x)}, or {@code mo(ordered(x, levels =
   * …))}. Column k has the k-th level after the lowest in its name, for instance mox[3].
   *
   * @param levels of x in ascending order
   */
  public static MonotonicColumns of(String term, List<String> levels) {
    String of = term.replaceFirst("^mo\\((ordered\\()?", "");
    int end = of.startsWith("`") ? of.indexOf('`', 1) : of.replaceAll("[,)].*", "").length();
    String name = "mo" + of.substring(0, end).replaceAll("[^\\p{L}\\p{N}_.]", "");
    return new MonotonicColumns(
        name, levels.subList(1, levels.size()).stream().map(k -> name + "[" + k + "]").toList());
  }

  /**
   * Returns the effects with these columns among all columns: their own, and one for each column
   * that multiplies them, for instance mox:z of mox[2]:z, mox[3]:z, …
   */
  public List<MonotonicColumns> among(List<String> all) {
    String first = columns.get(0);
    List<MonotonicColumns> found = new ArrayList<>();
    for (String one : all) {
      int at = (":" + one + ":").indexOf(":" + first + ":");
      if (at >= 0) {
        String before = one.substring(0, at);
        String after = one.substring(at + first.length());
        found.add(
            new MonotonicColumns(
                before + name + after, columns.stream().map(c -> before + c + after).toList()));
      }
    }
    return found;
  }

  /** Returns the name of the average difference of neighbouring levels b, for instance bsp_mox. */
  public String slope() {
    return "bsp_" + name;
  }

  /** Returns the name of the simplex ζ, for instance simo_mox1. */
  public String simplex() {
    return "simo_" + name + "1";
  }
}
