package org.lampyris.samplers.chain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lampyris.samplers.rows.Stored;

/**
 * Something that a run decided for itself, or found, with the figures behind it. Displays use the
 * text; programs use the choice and the figures.
 *
 * @param topic what it is about, in a word: "plan", "algorithm"
 * @param choice what was chosen, as the configuration spells it; empty where nothing was
 * @param figures what it rests on, by name, in order
 * @param text the decision and its reason in words
 */
public record Decision(String topic, String choice, Map<String, Double> figures, String text)
    implements Stored {
  /** Topic of findings about the model, which are shown with the summary. */
  public static final String FOUND = "found";

  /** Topic of the finding that the draws are independent, which makes R̂ and ESS meaningless. */
  public static final String INDEPENDENT = "independent";

  /**
   * Topic of a finding that makes the draws useless. Its text is a complaint, with a remedy, which
   * counts like chains that have not converged.
   */
  public static final String UNRELIABLE = "unreliable";

  /**
   * Topic of the evidence, log ∫ p(θ) Π L_n(θ) dθ: its figures are {@value #LOG_EVIDENCE}, natural
   * log, and {@value #STANDARD_ERROR}; none if there is no evidence.
   */
  public static final String EVIDENCE = "evidence";

  public static final String LOG_EVIDENCE = "log_evidence";
  public static final String STANDARD_ERROR = "standard_error";

  /** Copies the figures. */
  public Decision {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** Returns a decision without a named choice. */
  public static Decision of(String topic, Map<String, Double> figures, String text) {
    return new Decision(topic, "", figures, text);
  }

  /** Returns a remark without figures. */
  public static Decision of(String topic, String text) {
    return of(topic, Map.of(), text);
  }
}
