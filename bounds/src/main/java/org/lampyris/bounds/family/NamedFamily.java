package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lampyris.bounds.prior.Moments;

/** A family that is registered under a name. */
public abstract class NamedFamily implements ModelProvider {
  private final String name;
  private final LabelKind label;
  private final List<String> keys;

  /** Describes a family by its name, the label that it needs and its keys. */
  protected NamedFamily(String name, LabelKind label, String... keys) {
    this.name = name;
    this.label = label;
    this.keys = List.of(keys);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final LabelKind label() {
    return label;
  }

  /** {@inheritDoc} With one linear predictor also the column that is added to it. */
  @Override
  public final List<String> keys() {
    return takesOffset()
        ? Stream.concat(keys.stream(), Stream.of(ModelProvider.OFFSET)).toList()
        : keys;
  }

  /** Returns whether a column may be added to η: by default where levels may have effects. */
  protected boolean takesOffset() {
    return takesEffects();
  }

  @Override
  public Optional<String> offset(FamilySpec spec) {
    return spec.text(ModelProvider.OFFSET);
  }

  /** {@inheritDoc} Here by the link: with a logarithm the mean label's is known alone. */
  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return switch (link()) {
      case "identity" -> label;
      case "log" -> label.mean() == 0 ? Moments.STANDARD : new Moments(Math.log(label.mean()), 1);
      default -> Moments.STANDARD;
    };
  }
}
