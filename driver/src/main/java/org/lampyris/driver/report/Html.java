package org.lampyris.driver.report;

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
    text.append('>').append(Markup.escaped(words)).append("</").append(element).append(">\n");
    return this;
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

  @Override
  public String toString() {
    return text.toString();
  }
}
