package org.lampyris.dataprep.design;

import org.lampyris.bounds.config.Section;

/**
 * How columns become numbers.
 *
 * @param intercept whether a column of ones named "(Intercept)" comes first
 * @param standardize how numeric columns are standardised
 */
public record Encoding(boolean intercept, Standardize standardize) {
  /** How columns are standardised; draws are reported on the input's scale all the same. */
  public enum Standardize {
    /** As they are. */
    NONE,
    /** Numeric columns to mean 0 and standard deviation 1. */
    UNIT,
    /** Numeric columns to mean 0 and standard deviation ½, binary ones centred: Gelman (2008). */
    GELMAN
  }

  /** Reads the keys of the section {@code data}. */
  public static Encoding read(Section data) {
    return new Encoding(data.flag("intercept", true), data.choice("standardize", Standardize.NONE));
  }
}
