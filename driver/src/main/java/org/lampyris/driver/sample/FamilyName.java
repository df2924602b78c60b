package org.lampyris.driver.sample;

import java.util.Locale;
import org.lampyris.driver.config.ModelConfig;

/** A family's name as the configuration and the bounds artefact spell it. */
public final class FamilyName {

  private FamilyName() {}

  /** Returns the name of a model's family. */
  public static String of(ModelConfig model) {
    return model.family().name().toLowerCase(Locale.ROOT);
  }
}
