package org.lampyris.driver.question;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;

/**
 * Parser of quantities such as {@code exp(x1) - dow[Sat]}, with R's precedence: {@code ^}, which
 * groups from the right, then signs, {@code *} and {@code /}, {@code +} and {@code -}.
 *
 * <p>A parameter is written as in the summary, whatever characters its name has: the longest known
 * name that begins at a place is meant. Backticks may stand around it. {@code Intercept} is short
 * for {@code (Intercept)}.
 */
final class QuantityParser {
  private static final Pattern NUMBER = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  /** Characters that continue a name. */
  private static final Pattern IN_NAME = Pattern.compile("[\\p{L}\\p{N}_.:\\[]");

  private static final Pattern WORD = Pattern.compile("[\\p{L}_.][\\p{L}\\p{N}_.:]*");

  private static final String SHORT = "Intercept";

  /** The most operators and signs: as many levels may the tree of them have. */
  private static final int LONGEST = 1000;

  private static final int DEEPEST = 200;

  private final String text;
  private final Collection<String> known;
  private final Collection<String> references;
  private final List<String> names;
  private int at;
  private int length;
  private int depth;

  /**
   * Takes a text.
   *
   * @param known the names of the parameters
   * @param references the levels without a coefficient, as {@code dow[Fri]}
   */
  QuantityParser(String text, Collection<String> known, Collection<String> references) {
    this.text = text;
    this.known = known;
    this.references = references;
    names = new ArrayList<>(known);
    if (known.contains(ModelOfTable.INTERCEPT) && !known.contains(SHORT)) {
      names.add(SHORT);
    }
    names.sort(Comparator.comparingInt(String::length).reversed());
  }

  /**
   * Parses a quantity up to a comparison or the end of the text.
   *
   * @throws UserException (usage) if the text has no quantity here, or an unknown name
   */
  Quantity sum() {
    Quantity left = product();
    while (true) {
      if (take("+")) {
        left = new Quantity.Binary("+", left, product());
      } else if (take("-")) {
        left = new Quantity.Binary("-", left, product());
      } else {
        return left;
      }
    }
  }

  private Quantity product() {
    Quantity left = signed();
    while (true) {
      if (take("*")) {
        left = new Quantity.Binary("*", left, signed());
      } else if (take("/")) {
        left = new Quantity.Binary("/", left, signed());
      } else {
        return left;
      }
    }
  }

  private Quantity signed() {
    if (++length > LONGEST || ++depth > DEEPEST) {
      throw wrong(
          "it has more than %,d numbers and parameters, or more than %d levels of parentheses. Shorten it"
              .formatted(LONGEST, DEEPEST));
    }
    Quantity signed =
        take("-") ? new Quantity.Unary("neg", signed()) : take("+") ? signed() : power();
    depth--;
    return signed;
  }

  private Quantity power() {
    Quantity base = atom();
    return take("^") ? new Quantity.Binary("^", base, signed()) : base;
  }

  private Quantity atom() {
    blanks();
    if (at == text.length()) {
      throw wrong("it ends where a number or a parameter is due. Complete it");
    }
    if (text.charAt(at) == '`') {
      return quoted();
    }
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    int digits = number.lookingAt() ? number.end() - at : 0;
    Optional<String> name = names.stream().filter(this::isHere).findFirst();
    if (name.isPresent() && name.get().length() > digits) {
      at += name.get().length();
      boolean spelled = known.contains(name.get());
      return new Quantity.Parameter(spelled ? name.get() : ModelOfTable.INTERCEPT);
    }
    if (digits > 0) {
      at += digits;
      return new Quantity.Constant(Double.parseDouble(number.group()));
    }
    if (take("(")) {
      Quantity inner = sum();
      close();
      return inner;
    }
    Matcher word = WORD.matcher(text).region(at, text.length());
    if (!word.lookingAt()) {
      throw wrong("'%s' is no number and no parameter. Correct it".formatted(text.substring(at)));
    }
    String function = word.group();
    if (!text.startsWith("(", word.end()) || !Quantity.functions().contains(function)) {
      throw unknown();
    }
    at = word.end() + 1;
    Quantity x = sum();
    if (Quantity.UNARY.containsKey(function)) {
      close();
      return new Quantity.Unary(function, x);
    }
    if (!take(",")) {
      throw wrong(function + " needs two numbers, with a comma between them. Add one");
    }
    Quantity y = sum();
    close();
    return new Quantity.Binary(function, x, y);
  }

  private Quantity quoted() {
    int end = text.indexOf('`', at + 1);
    if (end < 0) {
      throw wrong("a backtick ` has no partner. Add one after the name");
    }
    String name = text.substring(at + 1, end);
    if (!known.contains(name)) {
      throw noParameter(name);
    }
    at = end + 1;
    return new Quantity.Parameter(name);
  }

  private boolean isHere(String name) {
    int end = at + name.length();
    if (name.isEmpty() || !text.startsWith(name, at)) {
      return false;
    }
    if (end == text.length()) {
      return true;
    }
    boolean word = Character.isLetterOrDigit(name.charAt(name.length() - 1));
    String next = text.substring(end, end + 1);
    return !IN_NAME.matcher(next).matches() && !(word && next.equals("("));
  }

  /** Returns the error about the name at this place: a word with what stands in brackets. */
  private UserException unknown() {
    int end = at;
    int open = 0;
    for (; end < text.length(); end++) {
      char c = text.charAt(end);
      open += c == '[' || c == '(' ? 1 : 0;
      if (open == 0 && "+-*/^<>=,) ".indexOf(c) >= 0) {
        break;
      }
      open -= c == ']' || c == ')' ? 1 : 0;
    }
    String name = text.substring(at, end);
    int bracket = name.indexOf('(');
    return bracket > 0 && NearestName.of(name, known).isEmpty()
        ? wrong(
            "there is no function %s and no parameter '%s'. Use %s"
                .formatted(
                    name.substring(0, bracket), name, String.join(", ", Quantity.functions())))
        : noParameter(name);
  }

  private UserException noParameter(String name) {
    if (references.contains(name)) {
      return wrong(
          "'%s' is a reference level, whose coefficient is 0. Leave it out".formatted(name));
    }
    return wrong(
        "the draws have no parameter '%s'; %s".formatted(name, NearestName.hint(name, known)));
  }

  private void close() {
    if (!take(")")) {
      throw wrong("a parenthesis is not closed. Add )");
    }
  }

  /** Takes a symbol, if it stands here. */
  boolean take(String symbol) {
    blanks();
    if (text.startsWith(symbol, at)) {
      at += symbol.length();
      return true;
    }
    return false;
  }

  /** Returns the rest of the text, if there is any. */
  @Nullable String rest() {
    blanks();
    return at == text.length() ? null : text.substring(at);
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  /** Returns the error about this text. */
  UserException wrong(String problem) {
    String end = problem.endsWith("?") ? "" : ".";
    String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return UserException.usage("Hypothesis \"%s\": %s%s".formatted(shown, problem, end));
  }
}
