package org.lampyris.experiments.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class LogLogChartTest {
  @Test
  void powersOfTenAreEquallyFarApart() throws Exception {
    LogLogChart chart =
        new LogLogChart(
            "a < b",
            "x",
            "y",
            List.of(
                new LogLogChart.Curve(
                    "one", new double[] {1, 10, 100}, new double[] {1, 0.1, 0.01}),
                new LogLogChart.Curve("two", new double[] {30, 40}, new double[] {0.5, 0.5})));
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart.svg())));
    NodeList curves = svg.getElementsByTagName("polyline");
    assertEquals(2, curves.getLength());
    String[] points = ((Element) curves.item(0)).getAttribute("points").split("[ ,]", -1);
    double[] at = new double[6];
    for (int i = 0; i < 6; i++) {
      at[i] = Double.parseDouble(points[i]);
    }
    assertEquals(at[2] - at[0], at[4] - at[2], 0.11);
    assertEquals(at[3] - at[1], at[5] - at[3], 0.11);
    assertTrue(at[3] > at[1], "downwards");
    StringBuilder words = new StringBuilder();
    NodeList texts = svg.getElementsByTagName("text");
    for (int i = 0; i < texts.getLength(); i++) {
      words.append(texts.item(i).getTextContent()).append('|');
    }
    for (String word : List.of("a < b|", "one|", "two|", "10^0|", "10^2|", "10^-2|")) {
      assertTrue(words.indexOf(word) >= 0, words + " without " + word);
    }
  }
}
