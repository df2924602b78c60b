package org.lampyris.driver.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.lampyris.executors.table.TableSchema.LabelKind;

/** The likelihoods with a name: what label they need, and which keys of the section they have. */
enum FamilyKeys {
  /** y in {−1, +1}, log L = log σ(y·xᵀθ). */
  LOGISTIC(LabelKind.BINARY),
  /** K classes, L = softmax. */
  SOFTMAX(LabelKind.CLASSES),
  /** (y − xᵀθ)/scale is Student-t. */
  ROBUST(LabelKind.REAL),
  /** y is normal about xᵀθ. */
  GAUSSIAN(LabelKind.REAL),
  /** y is gamma with mean exp(xᵀθ). */
  GAMMA(LabelKind.POSITIVE),
  /** y is Poisson with mean exp(xᵀθ + offset). */
  POISSON(LabelKind.COUNT),
  /** y is ½N(theta1, sigma²) + ½N(theta1 + theta2, sigma²); features play no part. */
  MIXTURE(LabelKind.REAL);

  private final LabelKind label;

  FamilyKeys(LabelKind label) {
    this.label = label;
  }

  /** Returns what the label must be. */
  LabelKind label() {
    return label;
  }

  /** Returns whether the family has a lower bound that collapses. */
  boolean hasBound() {
    return this != GAMMA && this != POISSON;
  }

  /** Returns the keys that only some families have, and this one. */
  List<String> keys() {
    return switch (this) {
      case LOGISTIC -> List.of();
      case SOFTMAX -> List.of("reference_class");
      case ROBUST -> List.of("df", "scale");
      case GAUSSIAN, MIXTURE -> List.of("sigma");
      case GAMMA -> List.of("shape");
      case POISSON -> List.of("offset");
    };
  }

  /** Returns the name that the configuration has for it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the family of a name; empty for the name of a class. */
  static Optional<FamilyKeys> named(String name) {
    return Arrays.stream(values()).filter(family -> family.text().equals(name)).findFirst();
  }

  /** Returns all names. */
  static List<String> names() {
    return Arrays.stream(values()).map(FamilyKeys::text).toList();
  }

  /** Returns the anchor of untuned bounds in Maclaurin and Adams (2014), section 4. */
  static double anchor(String name) {
    return name.equals(LOGISTIC.text()) ? 1.5 : 0;
  }

  /** Returns the families that have a key, for messages. */
  static String having(String key) {
    return String.join(
        ", ",
        Arrays.stream(values())
            .filter(family -> family.keys().contains(key))
            .map(FamilyKeys::text)
            .toList());
  }
}
