package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlatJsonTest {
  /** A record inside of another one, with one inside. */
  record Range(double min, double max, @JsonUnwrapped Moments moments) {}

  record Moments(@JsonProperty("average") double mean, double sd) {}

  record Column(String name, @JsonUnwrapped Range range, @Nullable String level) {}

  record Table(@JsonUnwrapped Column first, List<Column> columns) {}

  private static final Table TABLE =
      new Table(
          new Column("a", new Range(-0.0, 1e-300, new Moments(0.1, 3)), null),
          List.of(new Column("b", new Range(Double.MIN_VALUE, 1 / 3.0, new Moments(2, 4)), "x")));
  private static final String TEXT =
      """
      {"name":"a","min":-0.0,"max":1.0E-300,"average":0.1,"sd":3.0,"level":null,\
      "columns":[{"name":"b","min":4.9E-324,"max":0.3333333333333333,"average":2.0,"sd":4.0,\
      "level":"x"}]}\
      """;

  private final ObjectMapper json = FlatJson.builder().build();

  @Test
  void writesKeysOfAPartBesideTheOthersAndReadsThemBack() throws JsonProcessingException {
    assertEquals(TEXT, json.writeValueAsString(TABLE));
    assertEquals(TABLE, json.readValue(TEXT, Table.class));
    assertEquals(TABLE, json.treeToValue(json.readTree(TEXT), Table.class));
  }

  @Test
  void whatIsAbsentIsNothingAndWhatIsNoObjectIsRefused() throws JsonProcessingException {
    assertEquals(
        new Column("b", new Range(0, 2, new Moments(0, 0)), null),
        json.readValue("{\"max\": 2, \"name\": \"b\"}", Column.class));
    assertThrows(JsonProcessingException.class, () -> json.readValue("[1]", Column.class));
    assertThrows(
        JsonProcessingException.class, () -> json.readValue("{\"nmae\": \"b\"}", Column.class));
  }
}
