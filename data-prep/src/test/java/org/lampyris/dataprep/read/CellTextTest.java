package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CellTextTest {
  /** An hour east of Greenwich it is later: the same moment is an hour earlier in UTC. */
  @Test
  void aTimeWithAnOffsetIsThatOfUtc() {
    assertEquals(1 - 1 / 24.0, days("1970-01-02T00:00+01:00"), 1e-12);
    assertEquals(1 + 2.5 / 24, days("1970-01-02 00:00-02:30"), 1e-12);
    assertEquals(1, days("1970-01-02T00:00Z"));
  }

  private static double days(String cell) {
    return Objects.requireNonNull(CellText.days(cell), cell);
  }

  /** Java's own parser is slower, but what it takes for a number is one, to the same bits. */
  @Test
  void numbersAreThoseOfJava() {
    Random random = new Random(1);
    String characters = "0123456789+-.eE";
    int numbers = 0;
    for (int k = 0; k < 200_000; k++) {
      StringBuilder text = new StringBuilder();
      int kinds = k % 2 == 0 ? characters.length() : 11;
      for (int n = 1 + random.nextInt(12); n > 0; n--) {
        text.append(characters.charAt(random.nextInt(kinds)));
      }
      numbers += assertReadAsJava(text.toString()) ? 1 : 0;
      assertTrue(assertReadAsJava(Double.toString(random.nextGaussian())));
    }
    assertTrue(numbers > 50_000, "many are numbers");
    for (String text : List.of("2.2250738585072012e-308", "4.9e-324", "1e400", "1.", ".", "1e")) {
      assertReadAsJava(text);
    }
  }

  private static boolean assertReadAsJava(String text) {
    Double expected;
    try {
      expected = Double.valueOf(text);
    } catch (NumberFormatException e) {
      expected = null;
    }
    assertEquals(expected, CellText.number(text), text);
    return expected != null;
  }

  /** NA is R's; na may be a name. */
  @Test
  void theCaseOfNaCounts() {
    assertTrue(CellText.isMissing(" NA "));
    assertTrue(CellText.isMissing("Null"));
    assertFalse(CellText.isMissing("na"));
  }

  /** One number is one key, a code is another, and no digit is lost. */
  @Test
  void aKeyIsANumberOrWhatIsWritten() {
    for (String one : List.of("1", "1.0", "+1", "1e0", " 1.00 ", "0.1e1")) {
      assertEquals("1", CellText.key(one), one);
    }
    for (String same :
        List.of(
            "007",
            "07",
            "-01",
            "0",
            "0.5",
            "9007199254740993",
            "12345678901234567890",
            "A12",
            "1.1.2",
            "1,037",
            "0x10",
            "inf",
            "",
            "1.0E40")) {
      assertEquals(same, CellText.key(same), same);
    }
    assertEquals("9007199254740993", CellText.key("9007199254740993.0"));
    assertEquals("9007199254740992", CellText.key("9.007199254740992E15"));
    assertEquals("-0.5", CellText.key("-.50"));
    assertEquals("0", CellText.key("-0"));
    Random random = new Random(3);
    for (int n = 0; n < 1000; n++) {
      double x = random.nextLong() * Math.pow(10, random.nextInt(40) - 30);
      String key = CellText.key(Double.toString(x));
      assertEquals(x, Double.parseDouble(key), "seed 3");
      assertEquals(key, CellText.key(key), "seed 3");
      long whole = random.nextLong() >> random.nextInt(64);
      assertEquals(Long.toString(whole), CellText.key(Long.toString(whole)), "seed 3");
    }
  }

  @Test
  void digitsThatADoubleLacksAreKnown() {
    assertTrue(CellText.losesDigits("9007199254740993"));
    assertTrue(CellText.losesDigits("-1234567890123456789"));
    assertTrue(CellText.losesDigits("1".repeat(400)));
    assertFalse(CellText.losesDigits("9007199254740992"));
    assertFalse(CellText.losesDigits("1.23456789012345678901"));
    assertTrue(CellText.isPadded("-01"));
    assertFalse(CellText.isPadded("0.5"));
    assertFalse(CellText.isPadded("0"));
  }
}
