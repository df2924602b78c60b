package org.lampyris.experiments.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** YAML files of experiments: this module's by name, others by path. */
public final class ExperimentFile {
  private static final ObjectMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();

  private ExperimentFile() {}

  /**
   * Reads a file.
   *
   * @param name one of the names, or a path
   * @param names the files of this module that can be meant
   * @param quick which value is taken where there are two, {@code {full: …, quick: …}}
   * @throws UserException (usage) if there is none, or it cannot be read
   */
  public static <T> T read(String name, List<String> names, boolean quick, Class<T> type) {
    try (InputStream in = open(name, names)) {
      return YAML.treeToValue(chosen(YAML.readTree(in), quick ? "quick" : "full"), type);
    } catch (NoSuchFileException e) {
      throw UserException.usage(
          ("there is no experiment \"%s\". Name one of %s, or the path of a file like those in"
                  + " experiments/.")
              .formatted(name, String.join(", ", names)),
          e);
    } catch (JsonProcessingException e) {
      String problem = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
      throw UserException.usage("the experiment " + name + " cannot be read: " + problem + ".", e);
    } catch (IOException e) {
      throw UserException.usage(
          "the experiment " + name + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  private static InputStream open(String name, List<String> names) throws IOException {
    @Nullable InputStream known =
        names.contains(name)
            ? ExperimentFile.class.getResourceAsStream("/experiments/" + name + ".yaml")
            : null;
    return known != null ? known : Files.newInputStream(Path.of(name));
  }

  private static JsonNode chosen(JsonNode node, String which) {
    if (node.size() == 2 && node.has("full") && node.has("quick")) {
      return chosen(node.get(which), which);
    }
    if (node instanceof ObjectNode object) {
      object.properties().forEach(entry -> entry.setValue(chosen(entry.getValue(), which)));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, chosen(array.get(i), which));
      }
    }
    return node;
  }

  /** Returns a tree of maps, lists and values as YAML. */
  public static String text(Object tree) {
    try {
      return YAML.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was read can be written", e);
    }
  }
}
