package org.lampyris.experiments.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Pictures of traces have the traces' nodes and edges, and nothing in them overlaps. */
class ScaffoldsTest {
  private static Document picture(String name) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(
            new ByteArrayInputStream(
                new Scaffolds().files().getOrDefault(name, "").getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(Document picture, String tag, String kind) {
    List<Element> found = new ArrayList<>();
    NodeList all = picture.getElementsByTagName(tag);
    for (int i = 0; i < all.getLength(); i++) {
      Element one = (Element) all.item(i);
      if (List.of(one.getAttribute("class").split(" ", -1)).contains(kind)) {
        found.add(one);
      }
    }
    return found;
  }

  private static double number(Element of, String name) {
    return Double.parseDouble(of.getAttribute(name));
  }

  private static Rectangle2D rectangle(Element of, double less) {
    return new Rectangle2D.Double(
        number(of, "x") + less,
        number(of, "y") + less,
        number(of, "width") - 2 * less,
        number(of, "height") - 2 * less);
  }

  private static List<double[]> points(Element path) {
    List<double[]> points = new ArrayList<>();
    for (String point : path.getAttribute("d").substring(1).split("L", -1)) {
      String[] xy = point.split(" ", -1);
      points.add(new double[] {Double.parseDouble(xy[0]), Double.parseDouble(xy[1])});
    }
    return points;
  }

  private static Trace trace(String name) {
    return switch (name) {
      case "figure2a.svg" -> PaperPrograms.bayesLr(3, 1);
      case "figure6a.svg", "figure8a.svg" -> Scaffolds.mixture();
      default -> Scaffolds.volatility();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "figure2a.svg, 4, 1",
    "figure6a.svg, 4, 2",
    "figure8a.svg, 1, 1",
    "figure8b.svg, 1, 1",
    "figure9a.svg, 2, 1"
  })
  void nodesAndEdgesAreTheTracesAndNothingOverlaps(String name, int rows, int clusters)
      throws Exception {
    Document picture = picture(name);
    int nodes = 0;
    int parents = 0;
    int observed = 0;
    for (Trace.Entry entry : trace(name).entries()) {
      Node.Kind kind = entry.node().kind();
      int copies = kind.isInPlate() ? rows : kind == Node.Kind.PER_CLUSTER ? clusters : 1;
      nodes += copies;
      parents += copies * entry.parents().size();
      observed += kind == Node.Kind.OBSERVED ? copies : 0;
    }
    List<Element> boxes = elements(picture, "rect", "node");
    List<Element> edges = elements(picture, "path", "edge");
    assertEquals(nodes, boxes.size());
    assertEquals(parents, edges.size());
    assertEquals(observed, elements(picture, "rect", "observed").size());
    assertTrue(elements(picture, "rect", "moved").size() >= clusters);
    Rectangle2D paper = rectangle(elements(picture, "rect", "paper").get(0), 0);
    for (int i = 0; i < boxes.size(); i++) {
      Rectangle2D box = rectangle(boxes.get(i), 0);
      assertTrue(paper.contains(box), () -> box + " is beyond the paper");
      for (int j = 0; j < i; j++) {
        assertFalse(box.intersects(rectangle(boxes.get(j), 0)), () -> "overlaps " + box);
      }
    }
    for (Element edge : edges) {
      List<double[]> points = points(edge);
      for (int k = 1; k < points.size(); k++) {
        double[] from = points.get(k - 1);
        double[] to = points.get(k);
        assertTrue(to[1] > from[1], "edges lead downwards");
        for (Element box : boxes) {
          assertFalse(
              new Line2D.Double(from[0], from[1], to[0], to[1]).intersects(rectangle(box, 0.5)),
              () -> edge.getAttribute("d") + " crosses a box at " + box.getAttribute("x"));
        }
      }
    }
  }

  /** A halo for each node of a section: the target's, and those of the rows' sections. */
  @ParameterizedTest
  @CsvSource({"figure2a.svg, 9, 4", "figure6a.svg, 10, 4", "figure9a.svg, 13, 6"})
  void sectionsAreUnderTheirNodes(String name, int nodes, int inside) throws Exception {
    Document picture = picture(name);
    List<Element> halos = elements(picture, "rect", "halo");
    assertEquals(nodes, halos.size());
    assertEquals(inside, elements(picture, "path", "along").size());
    for (Element halo : halos) {
      Rectangle2D around = rectangle(halo, 0);
      assertEquals(
          1,
          elements(picture, "rect", "node").stream()
              .filter(box -> around.contains(rectangle(box, 0)))
              .count());
    }
  }

  @Test
  void thePagesPictureIsDrawn() throws IOException {
    assertEquals(
        Files.readString(Path.of("../docs/gallery/scaffolds-mixture.svg")),
        new Scaffolds().files().get("figure6a.svg"));
  }
}
