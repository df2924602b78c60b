package org.lampyris.driver.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fit and every SQL statement of examples/notebook, cell by cell, without Python. Two customers
 * of the notebook's table differ; the run is seeded, and its draws are the same everywhere.
 */
class NotebookIT {
  private static final Path NOTEBOOK = Path.of("..", "examples", "notebook", "customers.ipynb");
  private static final String FOLDER = "models/returns";
  private static final Pattern SQL =
      Pattern.compile("spark\\.sql\\(\"+\\s*(.*?)\\s*\"+\\)", Pattern.DOTALL);
  private static final Pattern OPTION =
      Pattern.compile("\\.option\\(\"([^\"]+)\", \"([^\"]+)\"\\)");

  @Test
  void theCustomersThatDifferAreFound(@TempDir Path folder) throws IOException {
    String models = folder.resolve("returns").toString();
    List<List<Row>> tables = new ArrayList<>();
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()) {
      for (JsonNode cell : new ObjectMapper().readTree(NOTEBOOK.toFile()).path("cells")) {
        StringBuilder lines = new StringBuilder();
        cell.path("source").forEach(line -> lines.append(line.asText()));
        String text = lines.toString().replace(FOLDER, models);
        if (text.contains(".write.")) {
          DataFrameWriter<Row> writer = spark.table("orders").write().format("lampyris");
          for (MatchResult option : OPTION.matcher(text).results().toList()) {
            writer.option(option.group(1), option.group(2));
          }
          writer.save(models);
        }
        for (MatchResult sql : SQL.matcher(text).results().toList()) {
          List<Row> rows = spark.sql(sql.group(1)).collectAsList();
          if (!rows.isEmpty()) {
            tables.add(rows);
          }
        }
      }
    }
    assertEquals(2, tables.size(), "the customers, and the predictions");
    List<Row> differ = tables.get(0);
    assertEquals(List.of("c07", "c21"), differ.stream().map(row -> row.getString(0)).toList());
    // Shrunk towards 0 from 1.5 and -1.5, with a standard deviation of about 0.2.
    assertEquals(1.2, differ.get(0).<Double>getAs("log_odds"), 0.1);
    assertEquals(-0.9, differ.get(1).<Double>getAs("log_odds"), 0.1);
    List<Row> expected = tables.get(1);
    assertEquals(
        List.of("c00", "c07", "c21", "c99"),
        expected.stream().map(row -> row.getString(0)).toList());
    assertEquals(1 / (1 + Math.exp(-0.8)), expected.get(1).getDouble(1), 0.12);
    assertEquals(1 / (1 + Math.exp(2.2)), expected.get(2).getDouble(1), 0.12);
  }
}
