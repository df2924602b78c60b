package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;

/** What a query may be made of: by the plan, before anything is analysed or run. */
class QueryTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM input",
        "-- a comment\nSELECT y, x /* another */ FROM input WHERE x > 1",
        "(SELECT y FROM input) UNION ALL (SELECT y FROM input)",
        "FROM input SELECT y, x + 1 AS z WHERE x IN (SELECT x FROM input)",
        "WITH a AS (SELECT * FROM input), b AS (SELECT x FROM a) SELECT a.* FROM a JOIN b ON a.x ="
            + " b.x",
        "SELECT y, AVG(x) OVER (PARTITION BY g ORDER BY t) AS m FROM input",
        "SELECT y, SUM(x) OVER w AS s FROM input WINDOW w AS (PARTITION BY g)",
        "SELECT g, COUNT(*) AS n FROM input GROUP BY g HAVING COUNT(*) > 1 ORDER BY g LIMIT 10"
            + " OFFSET 2",
        "SELECT g, a, SUM(x) FROM input GROUP BY GROUPING SETS ((g), (a))",
        "SELECT DISTINCT y FROM input EXCEPT SELECT y FROM input INTERSECT SELECT y FROM input",
        "SELECT y, e FROM input LATERAL VIEW explode(array(1, 2)) t AS e",
        "SELECT * FROM input, LATERAL (SELECT x + 1 AS z)",
        "SELECT * FROM input TABLESAMPLE (10 PERCENT) REPEATABLE (1)",
        "SELECT /*+ BROADCAST(b) */ * FROM input NATURAL JOIN input b",
        "SELECT * FROM input DISTRIBUTE BY g SORT BY x",
        "SELECT * FROM input PIVOT (SUM(x) FOR g IN ('a', 'b'))",
        "SELECT * FROM input UNPIVOT (v FOR k IN (x, z))",
        "SELECT y, (SELECT MAX(x) FROM input) AS m, EXISTS (SELECT 1 FROM input) AS e FROM input",
        "SELECT * FROM range(10) JOIN (VALUES (1), (2)) AS t(a)",
        "SELECT `a b`, transform(array(1), v -> v + 1)[0] AS c FROM (SELECT * FROM input) AS s(`a"
            + " b`)",
        "TABLE input",
        "FROM input |> WHERE x > 1 |> SELECT y, x"
      })
  void queriesAreTaken(String query) {
    Query.require(query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM input INSERT OVERWRITE DIRECTORY '/some/folder' USING parquet SELECT *",
        "FROM input INSERT OVERWRITE LOCAL DIRECTORY '/some/folder' USING csv SELECT *",
        "INSERT OVERWRITE DIRECTORY '/some/folder' USING parquet SELECT * FROM input",
        "INSERT INTO t SELECT * FROM input",
        "FROM input INSERT INTO t SELECT y INSERT INTO u SELECT x",
        "WITH a AS (SELECT * FROM input) INSERT INTO t SELECT * FROM a",
        "WITH a AS (SELECT * FROM input) FROM a INSERT OVERWRITE TABLE t SELECT *",
        "CREATE TABLE t AS SELECT * FROM input",
        "CREATE TEMPORARY VIEW v AS SELECT * FROM input",
        "CREATE FUNCTION f AS 'some.Type'",
        "DROP TABLE t",
        "DELETE FROM t WHERE x = 1",
        "UPDATE t SET x = 1",
        "MERGE INTO t USING input ON t.x = input.x WHEN MATCHED THEN DELETE",
        "TRUNCATE TABLE t",
        "CACHE TABLE t AS SELECT * FROM input",
        "LOAD DATA INPATH '/some/file' INTO TABLE t",
        "ADD JAR '/some/file.jar'",
        "SET spark.sql.shuffle.partitions = 1",
        "EXPLAIN SELECT * FROM input",
        "DESCRIBE input",
        "SHOW TABLES",
        "USE other",
        "CALL some.procedure()",
        "EXECUTE IMMEDIATE 'DROP TABLE t'",
        "ANALYZE TABLE t COMPUTE STATISTICS",
        "SELECT TRANSFORM (y, x) USING 'cat' AS (y, x) FROM input",
        "SELECT * FROM (SELECT TRANSFORM (y) USING 'cat' AS (y) FROM input)",
        "WITH a AS (SELECT TRANSFORM (y) USING 'cat' AS (y) FROM input) SELECT * FROM a",
        "SELECT y FROM input WHERE x IN (FROM input SELECT TRANSFORM (x) USING 'cat' AS (x))",
        "BEGIN SELECT * FROM input; END"
      })
  void whatDoesMoreThanToReadIsRefused(String query) {
    String message = refused(query);
    assertTrue(message.startsWith("data.query contains") || query.startsWith("BEGIN"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT java_method('java.lang.System', 'lineSeparator') AS s FROM input",
        "SELECT y, REFLECT('java.lang.System', 'lineSeparator') AS s FROM input",
        "SELECT try_reflect('java.lang.System', 'lineSeparator') AS s FROM input",
        "SELECT `reflect`('java.lang.System', 'lineSeparator') AS s FROM input",
        "SELECT y FROM input WHERE length(coalesce(reflect('java.lang.System', 'lineSeparator'),"
            + " '')) > 0",
        "SELECT y FROM input ORDER BY reflect('java.lang.System', 'lineSeparator')",
        "SELECT y FROM input WHERE x = (SELECT MAX(reflect('java.lang.System', 'lineSeparator'))"
            + " FROM input)",
        "SELECT y FROM input WHERE EXISTS (SELECT reflect('java.lang.System', 'lineSeparator'))",
        "WITH a AS (SELECT reflect('java.lang.System', 'lineSeparator') AS s) SELECT * FROM input,"
            + " a",
        "SELECT transform(array(1), v -> reflect('java.lang.System', 'lineSeparator')) AS t FROM"
            + " input",
        "SELECT SUM(x) OVER (ORDER BY reflect('java.lang.System', 'lineSeparator')) AS t FROM"
            + " input",
        "SELECT * FROM VALUES (reflect('java.lang.System', 'lineSeparator')) AS t(a)",
        "FROM input |> SELECT reflect('java.lang.System', 'lineSeparator') AS a"
      })
  void functionsThatCallCodeAreRefused(String query) {
    assertTrue(refused(query).contains("any code on the class path"), query);
  }

  @Test
  void aNameThatIsComputedIsRefused() {
    refused(
        "SELECT IDENTIFIER(concat('ref', 'lect'))('java.lang.System', 'lineSeparator') FROM input");
    refused("SELECT IDENTIFIER('reflect')('java.lang.System', 'lineSeparator') FROM input");
    refused("SELECT * FROM IDENTIFIER(concat('in', 'put'))");
  }

  @Test
  void whatIsNoSqlIsRefusedWithItsPlace() {
    assertTrue(refused("selec y from input").contains("near 'selec'"));
    refused("");
    refused("SELECT * FROM input; DROP TABLE t");
  }

  private static String refused(String query) {
    UserException refused = assertThrows(UserException.class, () -> Query.require(query), query);
    String message = String.valueOf(refused.getMessage());
    assertEquals(UserException.Kind.USAGE, refused.kind());
    assertEquals(1, message.lines().count(), message);
    return message;
  }
}
