package org.lampyris.driver.report;

import java.util.List;

/** A part of a page. Parameters named words are escaped, parameters named markup are not. */
final class Html {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup. */
  Html markup(String markup) {
    text.append(markup);
    return this;
  }

  /** Adds an element with words. */
  Html words(String element, String words) {
    return classed(element, "", words);
  }

  /** Adds an element of a class with words. */
  Html classed(String element, String kind, String words) {
    text.append('<').append(element);
    if (!kind.isEmpty()) {
      text.append(" class=\"").append(kind).append('"');
    }
    text.append('>').append(escaped(words)).append("</").append(element).append(">\n");
    return this;
  }

  /** Adds a paragraph in a faint colour. */
  Html faint(String words) {
    return classed("p", "faint", words);
  }

  /** Begins a table of a kind, which may be wider than the page; see {@link #endTable}. */
  Html table(String kind, List<String> heads) {
    open("div", "wide").open("table", kind);
    if (!heads.isEmpty()) {
      markup("<thead><tr>");
      heads.forEach(head -> words("th", head));
      markup("</tr></thead>");
    }
    return markup("<tbody>\n");
  }

  /** Adds a row of a name and what it is. */
  Html pair(String what, String value) {
    return markup("<tr>").words("th", what).words("td", value).markup("</tr>");
  }

  /** Ends a table. */
  Html endTable() {
    return markup("</tbody></table></div>");
  }

  /** Begins an element of a class. */
  Html open(String element, String kind) {
    text.append('<').append(element).append(" class=\"").append(kind).append("\">");
    return this;
  }

  /** Ends an element. */
  Html close(String element) {
    text.append("</").append(element).append(">\n");
    return this;
  }

  /** Begins a section. */
  Html section(String id, String title) {
    text.append("<section id=\"").append(id).append("\">");
    return words("h2", title);
  }

  /** Opens a folded section. */
  Html folded(String words) {
    text.append("<details>");
    return words("summary", words);
  }

  /** Returns text escaped for markup, in content and attributes. */
  static String escaped(String words) {
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

  @Override
  public String toString() {
    return text.toString();
  }
}
