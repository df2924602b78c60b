package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lampyris.bounds.config.UserException;

/**
 * Parser of formulas by recursive descent, with the precedence of R's operators, from the loosest:
 * ~, |, &amp;, !, comparisons, + and −, * and /, %in%, :, the sign, ^ (which binds to the right).
 */
final class FormulaParser {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:([0-9]+\\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
              + "|([\\p{L}.][\\p{L}\\p{N}._]*)|`([^`]+)`"
              + "|(%in%|%/%|%%|\\|\\||&&|<=|>=|==|!=|\\*\\*|[-+*/^:|&!<>~(),=])|(\\S))");

  /** Deeper nesting is a slip, and would exhaust the stack; R stops at 50. */
  private static final int DEEPEST = 200;

  /** The most operators in a row: as many levels has the tree of them. */
  private static final int LONGEST = 1000;

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();

  /** Kind of each token: n(umber), name (v), q(uoted name), o(perator), t(ext). */
  private final StringBuilder kinds = new StringBuilder();

  private int at;

  /** Number of open parentheses, calls, signs and powers. */
  private int depth;

  private FormulaParser(String text) {
    this.text = text;
    Matcher found = TOKEN.matcher(text);
    int end;
    for (int from = 0; found.find(from); from = end) {
      int kind = 1;
      while (found.group(kind) == null) {
        kind++;
      }
      end = kind == 5 ? endOfText(found.start(kind)) : found.end();
      if (end > 0 && kind == 5) {
        tokens.add(text.substring(found.start(kind) + 1, end - 1));
        places.add(found.start(kind));
        kinds.append('t');
        continue;
      }
      if (kind == 5) {
        throw meaningless(found.start(kind), found.group(kind));
      }
      tokens.add(kind == 4 && found.group(kind).equals("**") ? "^" : found.group(kind));
      places.add(found.start(kind));
      kinds.append("nvqo".charAt(kind - 1));
    }
  }

  /** Returns where a text in quotation marks ends; 0 if it is none. */
  private int endOfText(int place) {
    char quote = text.charAt(place);
    return quote == '"' || quote == '\'' ? text.indexOf(quote, place + 1) + 1 : 0;
  }

  /** Returns the problem of a character: an unknown function whose argument it is in, or itself. */
  private UserException meaningless(int place, String character) {
    int depth = 0;
    for (int k = tokens.size() - 1; k > 0; k--) {
      depth += isOperator(k, ")") ? 1 : isOperator(k, "(") ? -1 : 0;
      if (depth < 0) {
        depth = 0;
        if (kinds.charAt(k - 1) == 'v' && !UnknownFunction.isKnown(tokens.get(k - 1))) {
          return UnknownFunction.named(tokens.get(k - 1), "", text);
        }
      }
    }
    return wrong(
        place,
        "'%s' has no meaning there%s"
            .formatted(
                character,
                character.equals("$")
                    ? "; name a column alone, without its table"
                    : "\"'".contains(character) ? "; close the quotation mark" : ""));
  }

  private boolean isOperator(int token, String operator) {
    return kinds.charAt(token) == 'o' && tokens.get(token).equals(operator);
  }

  /**
   * Reads a formula.
   *
   * @throws UserException (usage) that names the character at which it goes wrong
   */
  static Expression parse(String text) {
    FormulaParser parser = new FormulaParser(text);
    Expression whole = parser.binary(0);
    if (parser.at < parser.tokens.size()) {
      throw parser.unexpected();
    }
    return whole;
  }

  /** Operators by level, the loosest first; all bind to the left. */
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("~"),
          List.of("|", "||"),
          List.of("&", "&&"),
          List.of("<", "<=", ">", ">=", "==", "!="),
          List.of("+", "-"),
          List.of("*", "/"),
          List.of("%in%", "%%", "%/%"),
          List.of(":"));

  /** The level of comparisons, before which a ! may stand. */
  private static final int COMPARISONS = 3;

  /** Reads operators of a level and of those that bind tighter. */
  private Expression binary(int level) {
    Expression left;
    if (level <= COMPARISONS && sees("!")) {
      at++;
      deeper();
      left = new Expression.Call("!", binary(COMPARISONS));
      depth--;
    } else {
      left = signed();
    }
    int length = 0;
    for (int next = level(); next >= level; next = level()) {
      if (++length > LONGEST) {
        throw wrong(
            places.get(at),
            "more than 1,000 operators in a row; write . for all columns, or set data.features");
      }
      String operator = tokens.get(at++);
      left = new Expression.Call(operator, left, binary(next + 1));
    }
    return left;
  }

  /** Returns the level of the next operator; −1 if there is none. */
  private int level() {
    int level = LEVELS.size() - 1;
    while (level >= 0 && LEVELS.get(level).stream().noneMatch(this::sees)) {
      level--;
    }
    return level;
  }

  /** Reads a sign, which binds tighter than : and looser than ^. */
  private Expression signed() {
    deeper();
    Expression signed;
    if (sees("+") || sees("-")) {
      String operator = tokens.get(at++);
      signed = new Expression.Call(operator, signed());
    } else {
      signed = power();
    }
    depth--;
    return signed;
  }

  private void deeper() {
    if (++depth > DEEPEST) {
      throw wrong(places.get(at - 1), "more than " + DEEPEST + " levels of nesting");
    }
  }

  private Expression power() {
    Expression base = primary();
    if (sees("^")) {
      at++;
      return new Expression.Call("^", base, signed());
    }
    return base;
  }

  private Expression primary() {
    if (at == tokens.size()) {
      throw wrong(text.length(), "the formula ends too early");
    }
    String token = tokens.get(at);
    char kind = kinds.charAt(at);
    at++;
    if (kind == 'n') {
      return new Expression.Constant(Double.parseDouble(token));
    }
    if (kind == 'v' && sees("(")) {
      at++;
      return call(token);
    }
    Expression literal = kind == 'v' ? Expression.Literal.of(token) : null;
    if (literal != null) {
      return literal;
    }
    if (kind == 'v' || kind == 'q') {
      return new Expression.Name(token);
    }
    if (kind == 't') {
      return new Expression.Quoted(token);
    }
    if (token.equals("(")) {
      Expression inner = binary(0);
      expect(")");
      return new Expression.Call("(", inner);
    }
    at--;
    throw unexpected();
  }

  private Expression call(String function) {
    List<Expression> arguments = new ArrayList<>();
    List<String> names = new ArrayList<>();
    while (!sees(")")) {
      if (!arguments.isEmpty()) {
        expect(",");
      }
      boolean named = at + 1 < tokens.size() && kinds.charAt(at) == 'v' && sees("=", at + 1);
      names.add(named ? tokens.get(at) : "");
      at += named ? 2 : 0;
      arguments.add(binary(0));
    }
    expect(")");
    return new Expression.Call(function, arguments, names);
  }

  private boolean sees(String operator) {
    return sees(operator, at);
  }

  private boolean sees(String operator, int place) {
    return place < tokens.size() && isOperator(place, operator);
  }

  private void expect(String operator) {
    if (!sees(operator)) {
      throw at < tokens.size()
          ? wrong(
              places.get(at), "expected '%s' instead of '%s'".formatted(operator, tokens.get(at)))
          : wrong(text.length(), "'" + operator + "' is missing at the end");
    }
    at++;
  }

  private UserException unexpected() {
    boolean word = at > 0 && "vq".indexOf(kinds.charAt(at)) >= 0 && kinds.charAt(at - 1) == 'v';
    return wrong(
        places.get(at),
        "'%s' is not allowed here%s"
            .formatted(
                tokens.get(at), word ? ". Put a name with spaces in backquotes: `a b`" : ""));
  }

  private UserException wrong(int place, String problem) {
    return UserException.usage(
        "model.formula \"%s\": at character %d, %s. Use R's syntax, for instance clicked ~ log(price) + day * hour + (1 | country)."
            .formatted(Formula.shown(text), place + 1, problem));
  }
}
