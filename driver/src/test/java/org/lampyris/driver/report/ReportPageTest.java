package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportPageTest {
  private static final String NASTY = "<script>alert(\"1\")</script> & 'more'";

  private static RunFolder run(List<String> names, int chains, int length, int thin) {
    Random random = new Random(11);
    double[][][] values = new double[names.size()][chains][length];
    List<VariableSummary> summary = new ArrayList<>();
    ObjectNode manifest = new ObjectMapper().createObjectNode();
    ArrayNode coefficients = manifest.putObject("data").putArray("coefficients");
    ArrayNode priors = manifest.withObject("/data").putArray("priors");
    for (int j = 0; j < names.size(); j++) {
      for (double[] chain : values[j]) {
        for (int i = 0; i < length; i++) {
          chain[i] = j % 7 - 3 + random.nextGaussian();
        }
      }
      summary.add(VariableSummary.of(names.get(j), values[j]));
      coefficients.add(names.get(j));
      priors.add("normal(0, 2.5)");
    }
    manifest.putObject("counts").put("chains", chains).put("draws_per_chain", length * thin);
    manifest
        .putObject("modelled")
        .put("family", "logistic")
        .put("label", NASTY)
        .put("rows", 1000)
        .putArray("doubts");
    manifest.putArray("complaints");
    manifest
        .putArray("decisions")
        .addObject()
        .put("topic", "plan")
        .put("text", "a < b, says " + NASTY);
    Effort effort = new Effort(10, List.of(), List.of(), List.of());
    return new RunFolder(
        new RunOutput(new Configuration(), "runs/" + NASTY, manifest),
        summary,
        new Draws(names, values),
        thin,
        effort,
        Later.of(
            Runnable::run,
            () -> {
              throw new IOException("the page needs no model");
            }));
  }

  private static String page(RunFolder run, List<String> doubts) {
    return ReportPage.of(run, new CheckSection("", doubts, Map.of(), "One mode?"), "");
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int j = 0; j < count; j++) {
      names.add("x" + j);
    }
    return names;
  }

  /** The page is well-formed to the last character, which no browser asks for. */
  private static Document parsed(String page) throws Exception {
    String body = page.replace("<!doctype html>", "");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(body)));
  }

  private static List<String> texts(Document page, String element) {
    List<String> texts = new ArrayList<>();
    NodeList all = page.getElementsByTagName(element);
    for (int i = 0; i < all.getLength(); i++) {
      texts.add(all.item(i).getTextContent());
    }
    return texts;
  }

  private static int charts(Document page) {
    int charts = 0;
    NodeList all = page.getElementsByTagName("svg");
    for (int i = 0; i < all.getLength(); i++) {
      charts += ((Element) all.item(i)).getAttribute("class").equals("chart") ? 1 : 0;
    }
    return charts;
  }

  @Test
  void onlyAlgorithmsWithAKernelNameIt() {
    RunFolder run = run(List.of("a"), 2, 100, 1);
    ObjectNode sampler =
        ((ObjectNode) run.manifest()).putObject("configuration").putObject("sampler");
    for (SamplingAlgorithm one : SamplingAlgorithm.registry().all()) {
      sampler.put("algorithm", one.name()).put("kernel", "mala");
      assertEquals(
          !one.has(Trait.WITHOUT_KERNEL),
          page(run, List.of()).contains("; " + one.name() + " with mala; "),
          one.name());
    }
    assertTrue(SamplingAlgorithm.registry().named("program").has(Trait.WITHOUT_KERNEL));
  }

  @Test
  void whatComesFromUsersIsEscaped() throws Exception {
    String page = page(run(List.of(NASTY, "b"), 2, 100, 1), List.of());
    assertFalse(page.contains("<script"), "a script");
    Document read = parsed(page);
    assertTrue(texts(read, "th").contains(NASTY));
    assertTrue(texts(read, "title").get(0).endsWith(NASTY));
    assertTrue(texts(read, "li").contains("a < b, says " + NASTY));
  }

  @Test
  void nothingIsLoaded() {
    String page = page(run(names(3), 2, 100, 1), List.of());
    for (String loading : List.of("src=", "href=", "url(", "@import", "<link", "<iframe")) {
      assertFalse(page.contains(loading), loading);
    }
    assertFalse(page.replace("http://www.w3.org/2000/svg", "").contains("http"), "an address");
  }

  @Test
  void theVerdictIsThatOfTheExitCode() throws Exception {
    RunFolder run = run(names(2), 4, 500, 1);
    assertEquals("Believe this run.", verdict(run, List.of()));
    assertEquals("Believe the draws; doubt the model.", verdict(run, List.of("Odd.")));
    ObjectNode manifest = (ObjectNode) run.manifest();
    manifest.putObject("bias").put("sentence", "off by 0.3 sds");
    assertEquals("Well sampled, but by an approximate algorithm.", verdict(run, List.of()));
    manifest.putArray("complaints").add("Chain 1 of 4 is stuck.");
    assertEquals("Do not believe these draws yet.", verdict(run, List.of()));
    List<String> words = texts(parsed(page(run, List.of("Odd."))), "p");
    assertTrue(words.contains("Chain 1 of 4 is stuck."), words.toString());
    assertTrue(words.contains("Odd."), words.toString());
    assertTrue(words.stream().anyMatch(p -> p.contains("off by 0.3 sds")), words.toString());
  }

  private static String verdict(RunFolder run, List<String> doubts) throws Exception {
    Document page = parsed(page(run, doubts));
    return texts(page, "h2").get(0);
  }

  @Test
  void everyCoefficientHasItsPictures() throws Exception {
    Document page = parsed(page(run(names(3), 4, 300, 5), List.of()));
    assertEquals(3 * 3 + 2, charts(page), "density, trace and ranks of each, and growth");
    List<String> words = texts(page, "text");
    assertTrue(words.contains("prior, normal(0, 2.5)"), words.toString());
    assertTrue(words.contains("1,500"), "thinned draws are where they were: " + words);
    assertTrue(texts(page, "p").stream().anyMatch(p -> p.contains("one draw in 5")), "says so");
  }

  @Test
  void manyCoefficientsMakeASmallPage() throws Exception {
    String text = page(run(names(300), 4, 1000, 1), List.of());
    assertTrue(text.getBytes(StandardCharsets.UTF_8).length < 3_000_000, text.length() + " bytes");
    Document page = parsed(text);
    assertEquals(60 * 3 + 2, charts(page));
    NodeList rows = page.getElementsByTagName("tr");
    int summarized = 0;
    for (int i = 0; i < rows.getLength(); i++) {
      summarized += ((Element) rows.item(i)).getElementsByTagName("svg").getLength();
    }
    assertEquals(300, summarized, "rows with their shapes");
    assertTrue(texts(page, "summary").contains("260 between"), "intervals between the ends");
  }

  /** The prior of an intercept at the columns' centres is not that of the one that is reported. */
  @Test
  void noPriorIsShownThatIsAnothers() throws Exception {
    RunFolder run = run(List.of("(Intercept)"), 2, 100, 1);
    assertFalse(texts(parsed(page(run, List.of())), "text").contains("prior, normal(0, 2.5)"));
    ((ObjectNode) run.manifest())
        .putObject("configuration")
        .putObject("model")
        .put("intercept_at", "zero");
    assertTrue(texts(parsed(page(run, List.of())), "text").contains("prior, normal(0, 2.5)"));
  }
}
