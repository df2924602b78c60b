package org.lampyris.experiments.bench;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;

/**
 * Text with quantities in braces: {@code it took {seconds %.1f} s}. A quantity is formatted as
 * {@link String#format} has it, or with three digits where no format is given.
 *
 * @param text the text
 */
public record Sentence(String text) {
  private static final Pattern QUANTITY = Pattern.compile("\\{([^{}%]+?)(?:\\s+(%[^{}]+))?\\}");
  private static final MathContext THREE_DIGITS = new MathContext(3);

  /** From text in YAML. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Sentence {}

  /** Returns the sentence with figures of one thing. */
  public String with(Figures figures) {
    return with(Map.of(), name -> figures.get(name.figure()));
  }

  /**
   * Returns the sentence.
   *
   * @param words what stands for the names that are no figures
   * @param figures the figures
   */
  String with(Map<String, String> words, ToDoubleFunction<Quantity.Name> figures) {
    return QUANTITY
        .matcher(text)
        .replaceAll(
            match -> {
              String name = match.group(1);
              String word = words.get(name);
              return Matcher.quoteReplacement(
                  word != null
                      ? word
                      : formatted(match.group(2), new Quantity(name).value(figures)));
            });
  }

  @SuppressWarnings("FormatStringAnnotation") // The format comes from the text.
  private static String formatted(@Nullable String format, double value) {
    if (format != null) {
      return Text.of(format, value);
    }
    // A sampler that evaluates no row at all has infinitely many effective draws for each.
    return value >= 100 || !Double.isFinite(value)
        ? Text.of("%,.0f", value)
        : new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }
}
