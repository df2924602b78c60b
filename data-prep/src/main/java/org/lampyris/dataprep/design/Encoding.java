package org.lampyris.dataprep.design;

import org.lampyris.bounds.config.Section;

/**
 * Encoding of columns as numbers.
 *
 * @param intercept whether a column of ones named "(Intercept)" comes first
 * @param standardize on which scale explicit priors speak of numeric columns
 */
public record Encoding(boolean intercept, Standardize standardize) {
  /** Unit of a column in explicit priors; columns are stored, and draws reported, without it. */
  public enum Standardize {
    /** 1. */
    NONE,
    /** For numeric columns, the standard deviation. */
    UNIT,
    /**
     * For numeric columns, two standard deviations, or the distance between two values: Gelman
     * (2008).
     */
    GELMAN
  }

  /** Reads the keys of the section {@code data}. */
  public static Encoding read(Section data) {
    return new Encoding(data.flag("intercept", true), data.choice("standardize", Standardize.NONE));
  }
}
