package org.lampyris.driver.report;

/** Text that becomes part of HTML or SVG. */
public final class Markup {
  private Markup() {}

  /** Returns text escaped for markup, in content and attributes. */
  public static String escaped(String words) {
    StringBuilder text = new StringBuilder(words.length() + 16);
    for (int i = 0; i < words.length(); i++) {
      char c = words.charAt(i);
      switch (c) {
        case '&' -> text.append("&amp;");
        case '<' -> text.append("&lt;");
        case '>' -> text.append("&gt;");
        case '"' -> text.append("&quot;");
        case '\'' -> text.append("&#39;");
        default -> text.append(isAllowed(c) ? c : '\uFFFD');
      }
    }
    return text.toString();
  }

  /** XML knows no other control characters. */
  private static boolean isAllowed(char c) {
    return c >= ' ' || c == '\t' || c == '\n' || c == '\r';
  }
}
