package org.lampyris.executors.table;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * JSON of records whose components may be {@link JsonUnwrapped}: the component's keys stand beside
 * the record's own. Jackson writes them so, but reads them into records only since version 2.19,
 * and Spark 4.0 has 2.18. So the keys of each such component are gathered in an object before the
 * record is read.
 */
public final class FlatJson {
  private FlatJson() {}

  /** Returns the builder of a mapper that reads and writes such records. */
  public static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .annotationIntrospector(new Gathered())
        .addModule(new Gathering())
        // Spark 3.5's Jackson counts no flat component to these, and would write them last.
        .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST);
  }

  /** Returns the components whose keys stand among the record's, each with these keys. */
  private static Map<String, List<String>> flat(Class<?> type) {
    Map<String, List<String>> parts = new LinkedHashMap<>();
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
          parts.put(component.getName(), keys(component.getType()).toList());
        }
      }
    }
    return parts;
  }

  private static Stream<String> keys(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component -> {
              if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                return keys(component.getType());
              }
              JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
              return Stream.of(named == null ? component.getName() : named.value());
            });
  }

  /** Annotations of a record: a constructor takes the components as they are, gathered. */
  private static final class Gathered extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable NameTransformer findUnwrappingNameTransformer(AnnotatedMember member) {
      return member instanceof AnnotatedParameter
          ? null
          : super.findUnwrappingNameTransformer(member);
    }
  }

  /** Module that reads records with flat components by {@link Gatherer}. */
  private static final class Gathering extends SimpleModule {
    private static final long serialVersionUID = 1;

    Gathering() {
      setDeserializerModifier(
          new BeanDeserializerModifier() {
            @Override
            public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config,
                BeanDescription description,
                JsonDeserializer<?> deserializer) {
              Map<String, List<String>> parts = flat(description.getBeanClass());
              return parts.isEmpty() ? deserializer : new Gatherer(deserializer, parts);
            }
          });
    }
  }

  /** Deserialiser that gathers the keys of flat components. */
  private static final class Gatherer extends DelegatingDeserializer {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // is never serialised
    private final Map<String, List<String>> parts;

    Gatherer(JsonDeserializer<?> record, Map<String, List<String>> parts) {
      super(record);
      this.parts = parts;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> record) {
      return new Gatherer(record, parts);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      TreeNode tree = parser.readValueAsTree();
      if (tree instanceof ObjectNode whole) {
        parts.forEach((name, keys) -> whole.set(name, gathered(whole, keys)));
      }
      try (JsonParser gathered = tree.traverse(parser.getCodec())) {
        gathered.nextToken();
        return super.deserialize(gathered, context);
      }
    }

    private static ObjectNode gathered(ObjectNode whole, List<String> keys) {
      ObjectNode part = whole.objectNode();
      keys.stream().filter(whole::has).forEach(key -> part.set(key, whole.remove(key)));
      return part;
    }
  }
}
