package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {
  @Test
  void powersOfTenAreEquallyFarApart() throws Exception {
    Document svg =
        parsed(
            Chart.of("a < b")
                .axes("x", "y & z")
                .logX()
                .logY()
                .line("one", new double[] {1, 10, 100}, new double[] {1, 0.1, 0.01})
                .line("two", new double[] {30, 40}, new double[] {0.5, 0.5})
                .file());
    List<double[][]> curves = curves(svg);
    double[][] at = curves.get(0);
    assertEquals(at[1][0] - at[0][0], at[2][0] - at[1][0], 0.11);
    assertEquals(at[1][1] - at[0][1], at[2][1] - at[1][1], 0.11);
    assertTrue(at[1][1] > at[0][1], "downwards");
    List<String> words = words(svg);
    for (String word : List.of("a < b", "y & z", "one", "two", "1", "100", "0.01")) {
      assertTrue(words.contains(word), words + " without " + word);
    }
  }

  @Test
  void numbersAreWhereTheAxisSays() throws Exception {
    Document svg =
        parsed(
            Chart.of("t")
                .line("", new double[] {0, 1, 2, 3}, new double[] {10, 40, Double.NaN, 20})
                .svg());
    // The plot is from 58 to 388 and from 220 up to 30, with 3 % to spare at each end.
    double width = 330 / 1.06;
    double height = 190 / 1.06;
    double[][] at = curves(svg).get(0);
    assertEquals(3, at.length, "what is missing is left out");
    assertArrayEquals(new double[] {58 + 0.03 * width, 220 - 0.03 * height}, at[0], 0.06);
    assertArrayEquals(
        new double[] {58 + (0.03 + 1.0 / 3) * width, 30 + 0.03 * height}, at[1], 0.06);
    assertArrayEquals(
        new double[] {58 + 1.03 * width, 220 - (0.03 + 1.0 / 3) * height}, at[2], 0.06);
    Element path = (Element) svg.getElementsByTagName("path").item(0);
    assertEquals(2, path.getAttribute("d").chars().filter(c -> c == 'M').count(), "a gap");
  }

  @Test
  void marksAreRoundAndTellEachOtherApart() {
    Axis even = Axis.of(false, List.of(new double[] {0.013, 0.094}), 0, 100);
    double[] ticks = even.ticks(5);
    assertArrayEquals(new double[] {0.02, 0.04, 0.06, 0.08}, ticks, 1e-15);
    assertEquals("0.02", even.label(ticks[0], ticks));
    Axis far = Axis.of(false, List.of(new double[] {1_000_001, 1_000_004}), 0, 100);
    double[] close = far.ticks(5);
    assertEquals(
        close.length,
        java.util.Arrays.stream(close).mapToObj(t -> far.label(t, close)).distinct().count());
    Axis log = Axis.of(true, List.of(new double[] {3e-9, 5e8}), 0, 100);
    double[] powers = log.ticks(5);
    assertTrue(powers.length >= 3 && powers.length <= 6, powers.length + " marks");
    for (double tick : powers) {
      assertEquals(Math.rint(Math.log10(tick)), Math.log10(tick), 1e-9);
    }
    assertEquals("1e−9", log.label(1e-9, powers));
  }

  @Test
  void anEmptyChartAndAPointAreDrawnAsWell() throws Exception {
    parsed(Chart.of("").line("", new double[0], new double[0]).svg());
    parsed(Chart.of("").logX().logY().line("", new double[] {0}, new double[] {-1}).svg());
    String svg = Chart.of("").points(new Curve("", new double[] {0}, new double[] {0})).svg();
    parsed(svg);
    assertTrue(svg.contains("circle"), svg);
    assertFalse(svg.contains("NaN"), svg);
  }

  @Test
  void aBandGoesThereAndBack() throws Exception {
    double[] x = {0, 1};
    Document svg =
        parsed(Chart.of("").band(new Curve("", x, new double[] {0, 0}), new double[] {1, 2}).svg());
    double[][] at = curves(svg).get(0);
    assertEquals(4, at.length);
    assertEquals(at[0][0], at[3][0]);
    assertEquals(at[1][0], at[2][0]);
    assertTrue(at[2][1] < at[3][1], "the upper edge rises");
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<String> words(Document svg) {
    List<String> words = new ArrayList<>();
    NodeList texts = svg.getElementsByTagName("text");
    for (int i = 0; i < texts.getLength(); i++) {
      words.add(texts.item(i).getTextContent());
    }
    return words;
  }

  private static List<double[][]> curves(Document svg) {
    List<double[][]> curves = new ArrayList<>();
    NodeList paths = svg.getElementsByTagName("path");
    for (int i = 0; i < paths.getLength(); i++) {
      String[] points =
          ((Element) paths.item(i))
              .getAttribute("d")
              .replace("Z", "")
              .substring(1)
              .split("[LM]", -1);
      double[][] at = new double[points.length][];
      for (int k = 0; k < points.length; k++) {
        String[] two = points[k].split(" ", -1);
        at[k] = new double[] {Double.parseDouble(two[0]), Double.parseDouble(two[1])};
      }
      curves.add(at);
    }
    return curves;
  }
}
