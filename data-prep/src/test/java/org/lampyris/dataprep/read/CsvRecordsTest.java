package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvRecordsTest {
  private static List<String> read(String text) throws IOException {
    List<String> read = new ArrayList<>();
    try (CsvRecords records = new CsvRecords(new BufferedReader(new StringReader(text)), ",")) {
      for (List<String> record = records.next(); record != null; record = records.next()) {
        read.add(records.line() + ":" + String.join("|", record));
      }
    }
    return read;
  }

  @Test
  void knowsTheLineOfEachRecord() throws IOException {
    assertEquals(
        List.of("1:a|b", "2:1|x\ny", "4:2|z", "6:3|w"), read("a,b\n1,\"x\ny\"\n2,z\n\n3,w\n"));
    assertEquals(List.of("1:a|b", "2:1|2", "3:3|4"), read("a,b\r\n1,2\r\n3,4"));
    assertEquals(List.of("1:a", "2:b", "4:c"), read("a\rb\r\rc\r"));
  }

  @Test
  void takesQuotesOffAndKeepsWhatIsInside() throws IOException {
    assertEquals(List.of("1:a \"b\"|c, d||"), read("\"a \"\"b\"\"\",\"c, d\",\"\",\n"));
    assertEquals(List.of("1:5\" pipe|x"), read("5\" pipe,x"));
    assertEquals(List.of("1:a|b"), read("\uFEFFa,b"));
    assertEquals(List.of("1:open\nend"), read("\"open\nend"));
    assertEquals(List.of(), read(""));
  }

  @Test
  void numbersAreThoseOfATable() {
    assertEquals(-1.5e3, CellText.number(" -1.5E3 "));
    assertEquals(0.5, CellText.number(".5"));
    assertEquals(5, CellText.number("5."));
    assertEquals(Double.NaN, CellText.number("NaN"));
    assertEquals(Double.NEGATIVE_INFINITY, CellText.number("-Infinity"));
    for (String no : List.of("1d", "2f", "0x1p3", "1,5", "one", "", "1 2", "--1", "NA")) {
      assertNull(CellText.number(no), no);
    }
  }

  @Test
  void levelsAreNamedWithoutNeedlessDigitsAndOrderedByValue() {
    assertEquals("3", CellText.level(3.0));
    assertEquals("0.25", CellText.level(0.25));
    assertEquals("-7", CellText.level(-7L));
    assertEquals("1.5", CellText.level(new java.math.BigDecimal("1.50")));
    assertEquals("true", CellText.level(true));
    List<String> levels = new ArrayList<>(List.of("b", "10", "9", "B", "-1"));
    levels.sort(CellText::compareLevels);
    assertEquals(List.of("-1", "9", "10", "B", "b"), levels);
  }
}
