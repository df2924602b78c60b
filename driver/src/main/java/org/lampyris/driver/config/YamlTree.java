package org.lampyris.driver.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.Origin;
import org.lampyris.bounds.config.UserException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reads YAML into {@link ConfigNode}s, each with its place. Refuses what a configuration has no use
 * for and what tends to be a slip: the same key twice, aliases, several documents.
 */
record YamlTree(YAMLParser parser, String source, boolean placed) {
  /** Returns the tree of a configuration file. */
  static ConfigNode.Mapping file(String text, String source) {
    ConfigNode root = parse(text, source, true);
    if (root instanceof ConfigNode.Mapping mapping) {
      return mapping;
    }
    if (root instanceof ConfigNode.Scalar scalar && scalar.text() == null) {
      return ConfigNode.Mapping.empty(new Origin(source, 1, 1));
    }
    throw UserException.usage(
        "%s: a configuration needs sections such as data: and sampler:, but this is %s."
            .formatted(root.origin(), root.kind()));
  }

  /** Returns the tree of a value from the command line; {@code option} is used in messages. */
  static ConfigNode value(String text, String option) {
    return parse(text, option, false);
  }

  private static ConfigNode parse(String text, String source, boolean placed) {
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      YamlTree tree = new YamlTree(parser, source, placed);
      JsonToken first = parser.nextToken();
      ConfigNode root = first == null ? new ConfigNode.Scalar(tree.here(), null) : tree.node(first);
      if (parser.nextToken() != null) {
        throw UserException.usage(
            tree.here()
                + ": a second YAML document begins here. Keep one configuration in a file.");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw syntax(e, source, placed);
    } catch (IOException e) {
      throw new IllegalStateException("reading from a string cannot fail", e);
    }
  }

  /** Returns a syntax error in the parser's words, without its excerpt. */
  private static UserException syntax(JsonProcessingException e, String source, boolean placed) {
    JsonLocation at = e.getLocation();
    Origin origin =
        at == null ? Origin.option(source) : new Origin(source, at.getLineNr(), at.getColumnNr());
    String problem = e.getOriginalMessage().lines().findFirst().orElse("");
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof MarkedYAMLException marked && marked.getProblem() != null) {
        problem = marked.getProblem();
        Mark mark = marked.getProblemMark();
        // Jackson names the last token that was whole, which may be lines before the problem.
        if (mark != null) {
          origin = new Origin(source, mark.getLine() + 1, mark.getColumn() + 1);
        }
      }
    }
    return UserException.usage(
        (placed ? origin.toString() : source)
            + ": not valid YAML: "
            + problem
            + (placed ? "." : ". Put text that holds brackets, braces or quotes in quotes."),
        e);
  }

  private Origin here() {
    if (!placed) {
      return Origin.option(source);
    }
    JsonLocation at = parser.currentTokenLocation();
    return new Origin(source, at.getLineNr(), at.getColumnNr());
  }

  private ConfigNode node(JsonToken token) throws IOException {
    Origin origin = here();
    if (parser.isCurrentAlias()) {
      throw UserException.usage(
          origin + ": YAML aliases (*name) are not supported. Write out the value.");
    }
    return switch (token) {
      case START_OBJECT -> mapping(origin);
      case START_ARRAY -> sequence(origin);
      case VALUE_NULL -> new ConfigNode.Scalar(origin, null);
      default -> new ConfigNode.Scalar(origin, parser.getText());
    };
  }

  private ConfigNode.Mapping mapping(Origin origin) throws IOException {
    Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      Origin keyOrigin = here();
      ConfigNode.Entry entry = new ConfigNode.Entry(keyOrigin, node(parser.nextToken()));
      ConfigNode.@Nullable Entry earlier = entries.putIfAbsent(key, entry);
      if (earlier != null) {
        throw UserException.usage(
            "%s: the key \"%s\" appears a second time (first: %s). Keep one."
                .formatted(keyOrigin, key, earlier.keyOrigin()));
      }
    }
    return new ConfigNode.Mapping(origin, entries);
  }

  private ConfigNode.Sequence sequence(Origin origin) throws IOException {
    List<ConfigNode> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(parser.currentToken()));
    }
    return new ConfigNode.Sequence(origin, List.copyOf(items));
  }
}
