package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;

/**
 * Layered drawing of a part of a trace: nodes outside of the rows above some rows side by side,
 * each node below its parents. An edge over several layers has a place in each, so it crosses no
 * box.
 *
 * <p>Source: Sugiyama, Tagawa and Toda (1981), with their barycentres.
 */
final class TracePicture {
  private static final double HEIGHT = 26;
  private static final double PITCH = 66;
  private static final double GAP = 18;
  private static final double BETWEEN_ROWS = 46;
  private static final double MARGIN = 34;
  private static final double LETTER = 7.4;
  private static final int SWEEPS = 12;
  private static final int OUTSIDE = -1;

  private static final String STYLE =
      """
      <style>text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1d2530}
      .node{fill:#fff;stroke:#1d2530;stroke-width:1.3}.observed{fill:#c9ced6}.deterministic{stroke-dasharray:4 3}
      .moved{stroke:#c9405e;stroke-width:2.6}.edge{fill:none;stroke:#68727f;stroke-width:1.2}
      .halo{stroke:none}.along{fill:none;stroke-width:40;stroke-linecap:round;stroke-linejoin:round}
      .plate{fill:none;stroke:#68727f;stroke-dasharray:7 4}.note{fill:#68727f;font-size:12px}</style>
      <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0L8 4L0 8z" fill="#68727f"/></marker></defs>
      """;

  /** A node in the picture, or the place of an edge, which has no label. */
  private static final class Box {
    private final String label;
    private final String kind;
    private final int group;
    private final int layer;
    private final double width;
    private final List<Box> above = new ArrayList<>();
    private final List<Box> below = new ArrayList<>();
    private double x;

    Box(String label, String kind, int group, int layer) {
      this.label = label;
      this.kind = kind;
      this.group = group;
      this.layer = layer;
      this.width = label.isEmpty() ? 6 : Math.max(34, LETTER * label.length() + 16);
    }

    double top() {
      return MARGIN + 10 + layer * PITCH;
    }

    double bottom() {
      return top() + HEIGHT;
    }
  }

  private final Trace trace;
  private final int rows;
  private final int clusters;
  private final String rowName;
  private final List<Box> boxes = new ArrayList<>();
  private final Map<String, Box> byKey = new HashMap<>();
  private final Map<Box, Map<Box, List<Box>>> edges = new HashMap<>();
  private final StringBuilder under = new StringBuilder();
  private final List<Node> moved = new ArrayList<>();
  private double width;

  /**
   * Lays out a trace.
   *
   * @param rows how many rows are drawn
   * @param clusters how many clusters are; row r belongs to cluster r modulo this number
   * @param rowName what a row is called
   */
  TracePicture(Trace trace, int rows, int clusters, String rowName) {
    this.trace = trace;
    this.rows = rows;
    this.clusters = clusters;
    this.rowName = rowName;
    int[] depth = new int[trace.entries().size()];
    int outside = 0;
    for (Trace.Entry e : trace.entries()) {
      int id = e.node().id();
      depth[id] = e.node().kind().isInPlate() ? outside + 1 : 0;
      for (int parent : e.parents()) {
        depth[id] = Math.max(depth[id], depth[parent] + 1);
      }
      outside = e.node().kind().isInPlate() ? outside : Math.max(outside, depth[id]);
      for (int copy = 0; copy < copies(e.node()); copy++) {
        add(e, copy, depth[id]);
      }
    }
    arrange();
  }

  private int copies(Node node) {
    return node.kind().isInPlate() ? rows : node.kind() == Node.Kind.PER_CLUSTER ? clusters : 1;
  }

  private Box box(Node node, int copy) {
    return Objects.requireNonNull(byKey.get(node.id() + " " + (copies(node) == 1 ? 0 : copy)));
  }

  private void add(Trace.Entry entry, int copy, int layer) {
    Node node = entry.node();
    boolean inRow = node.kind().isInPlate();
    String which = clusters > 1 ? " of " + (char) ('A' + copy) : " of each cluster";
    String kind =
        node.kind() == Node.Kind.OBSERVED
            ? " observed"
            : node.kind().isDeterministic() ? " deterministic" : "";
    String label = node.name() + (node.kind() == Node.Kind.PER_CLUSTER ? which : "");
    Box box = new Box(label, kind, inRow ? copy : OUTSIDE, layer);
    boxes.add(box);
    byKey.put(node.id() + " " + copy, box);
    for (int parent : entry.parents()) {
      Node from = trace.entries().get(parent).node();
      int of = from.kind() == Node.Kind.PER_CLUSTER && inRow ? copy % clusters : copy;
      connect(box(from, of), box);
    }
  }

  /** Adds the places of an edge: outside as long as it is above the rows. */
  private void connect(Box from, Box to) {
    int first = firstRowLayer();
    List<Box> way = new ArrayList<>(List.of(from));
    for (int layer = from.layer + 1; layer < to.layer; layer++) {
      Box place = new Box("", "", layer < first ? OUTSIDE : to.group, layer);
      boxes.add(place);
      way.add(place);
    }
    way.add(to);
    for (int i = 1; i < way.size(); i++) {
      way.get(i - 1).below.add(way.get(i));
      way.get(i).above.add(way.get(i - 1));
    }
    edges.computeIfAbsent(to, box -> new HashMap<>()).put(from, way);
  }

  private int firstRowLayer() {
    return 1
        + boxes.stream()
            .filter(box -> box.group == OUTSIDE && !box.label.isEmpty())
            .mapToInt(box -> box.layer)
            .max()
            .orElse(0);
  }

  /** Orders each layer by the means of its neighbours, downwards and upwards in turn. */
  private void arrange() {
    TreeMap<Integer, List<Box>> layers =
        boxes.stream()
            .collect(Collectors.groupingBy(box -> box.layer, TreeMap::new, Collectors.toList()));
    pack(layers);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean down = sweep % 2 == 0;
      for (List<Box> layer : (down ? layers : layers.descendingMap()).values()) {
        Map<Box, Double> mean = new HashMap<>();
        for (Box box : layer) {
          List<Box> near = down ? box.above : box.below;
          mean.put(box, near.stream().mapToDouble(other -> other.x).average().orElse(box.x));
        }
        layer.sort(Comparator.<Box>comparingInt(box -> box.group).thenComparing(mean::get));
        pack(layers);
      }
    }
  }

  /** Packs every layer's boxes of a row, or outside, in their order about the row's middle. */
  private void pack(Map<Integer, List<Box>> layers) {
    Map<Integer, Double> widths = new TreeMap<>();
    for (List<Box> layer : layers.values()) {
      layer.stream()
          .collect(Collectors.groupingBy(box -> box.group))
          .forEach((group, of) -> widths.merge(group, length(of), Math::max));
    }
    double inRows = (rows - 1) * BETWEEN_ROWS;
    for (int row = 0; row < rows; row++) {
      inRows += widths.getOrDefault(row, 0.0);
    }
    double all = Math.max(inRows, widths.getOrDefault(OUTSIDE, 0.0));
    width = all + 2 * MARGIN;
    double left = MARGIN + (all - inRows) / 2;
    Map<Integer, Double> middle = new HashMap<>(Map.of(OUTSIDE, width / 2));
    for (int row = 0; row < rows; row++) {
      double own = widths.getOrDefault(row, 0.0);
      middle.put(row, left + own / 2);
      left += own + BETWEEN_ROWS;
    }
    for (List<Box> layer : layers.values()) {
      for (Map.Entry<Integer, List<Box>> of :
          layer.stream().collect(Collectors.groupingBy(box -> box.group)).entrySet()) {
        double at = middle.getOrDefault(of.getKey(), 0.0) - length(of.getValue()) / 2;
        for (Box box : of.getValue()) {
          box.x = at + box.width / 2;
          at += box.width + GAP;
        }
      }
    }
  }

  private static double length(List<Box> boxes) {
    return boxes.stream().mapToDouble(box -> box.width + GAP).sum() - GAP;
  }

  /** Marks nodes. */
  TracePicture marking(List<Node> nodes) {
    moved.addAll(nodes);
    return this;
  }

  /**
   * Lays a scaffold's sections under the nodes: the global one, and the local ones of the rows.
   *
   * @param cluster whose, if the target has a value for each
   */
  TracePicture scaffold(Scaffold scaffold, int cluster, String global, String local) {
    moved.add(scaffold.target());
    halo(scaffold.global(), cluster, global);
    for (int row = 0; row < rows; row++) {
      if (scaffold.label() == null || row % clusters == cluster) {
        for (LocalSection section : scaffold.sections()) {
          halo(section.nodes(), row, local);
        }
      }
    }
    return this;
  }

  private void halo(List<Node> nodes, int copy, String colour) {
    List<Box> of = nodes.stream().map(node -> box(node, copy)).toList();
    under.append(Text.of("<g fill=\"%s\" stroke=\"%1$s\" opacity=\".3\">\n", colour));
    for (Box box : of) {
      under.append(
          rect("halo", box.x - box.width / 2 - 8, box.top() - 8, box.width + 16, HEIGHT + 16, 14));
      edges.getOrDefault(box, Map.of()).entrySet().stream()
          .filter(edge -> of.contains(edge.getKey()))
          .forEach(edge -> under.append(path("along", edge.getValue(), "")));
    }
    under.append("</g>\n");
  }

  /** Draws a frame about all rows. */
  TracePicture plate(String name) {
    List<Box> inside = boxes.stream().filter(box -> box.group != OUTSIDE).toList();
    double left = inside.stream().mapToDouble(box -> box.x - box.width / 2).min().orElse(0) - 14;
    double right = inside.stream().mapToDouble(box -> box.x + box.width / 2).max().orElse(0) + 14;
    double top = inside.stream().mapToDouble(Box::top).min().orElse(0) - 18;
    double bottom = inside.stream().mapToDouble(Box::bottom).max().orElse(0) + 10;
    under.append(rect("plate", left, top, right - left, bottom - top, 8));
    under.append(note((left + right) / 2, bottom + 16, name));
    return this;
  }

  private static String rect(String kind, double x, double y, double w, double h, double round) {
    return Text.of(
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>\n",
        kind, x, y, w, h, round);
  }

  private static String note(double x, double y, String words) {
    return Text.of("<text class=\"note\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, words);
  }

  private static String path(String kind, List<Box> way, String more) {
    StringBuilder at = new StringBuilder();
    for (Box box : way) {
      boolean first = box == way.get(0);
      boolean last = box == way.get(way.size() - 1);
      if (!first) {
        at.append(Text.of("L%.1f %.1f", box.x, box.top()));
      }
      if (!last) {
        at.append(Text.of("%s%.1f %.1f", first ? "M" : "L", box.x, box.bottom()));
      }
    }
    return Text.of("<path class=\"%s\" d=\"%s\"%s/>\n", kind, at, more);
  }

  /** Returns the picture, with lines of text below it. */
  String file(String... lines) {
    double bottom = boxes.stream().mapToDouble(Box::bottom).max().orElse(0) + 44;
    double longest = Stream.of(lines).mapToInt(String::length).max().orElse(0) * 6.4 + 20;
    double wide = Math.max(width, longest);
    double height = bottom + 18 * lines.length;
    StringBuilder all = new StringBuilder();
    all.append(
        Text.of(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
                + " viewBox=\"%.1f 0 %1$.1f %2$.1f\">\n",
            wide, height, (width - wide) / 2));
    all.append(STYLE);
    all.append(
        rect("paper", (width - wide) / 2, 0, wide, height, 0).replace("/>", " fill=\"#fff\"/>"));
    all.append(under);
    edges.values().stream()
        .flatMap(of -> of.values().stream())
        .sorted(
            Comparator.<List<Box>>comparingInt(way -> boxes.indexOf(way.get(0)))
                .thenComparingInt(way -> boxes.indexOf(way.get(way.size() - 1))))
        .forEach(way -> all.append(path("edge", way, " marker-end=\"url(#tip)\"")));
    List<Box> marked =
        moved.stream()
            .flatMap(
                node ->
                    Stream.iterate(0, copy -> copy < copies(node), copy -> copy + 1)
                        .map(copy -> box(node, copy)))
            .toList();
    for (Box box : boxes) {
      if (!box.label.isEmpty()) {
        String kind = "node" + box.kind + (marked.contains(box) ? " moved" : "");
        double round = box.kind.equals(" deterministic") ? 2 : 13;
        all.append(rect(kind, box.x - box.width / 2, box.top(), box.width, HEIGHT, round));
        all.append(
            Text.of("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", box.x, box.top() + 17.5, box.label));
      }
    }
    for (int row = 0; rows > 1 && row < rows; row++) {
      int number = row;
      double middle =
          boxes.stream()
              .filter(box -> box.group == number && !box.label.isEmpty())
              .mapToDouble(box -> box.x)
              .average()
              .orElse(0);
      String cluster = clusters > 1 ? ", cluster " + (char) ('A' + row % clusters) : "";
      all.append(note(middle, bottom - 22, rowName + " " + (row + 1) + cluster));
    }
    for (int i = 0; i < lines.length; i++) {
      all.append(note(width / 2, bottom + 4 + 18 * i, lines[i]));
    }
    return all.append("</svg>\n").toString();
  }
}
