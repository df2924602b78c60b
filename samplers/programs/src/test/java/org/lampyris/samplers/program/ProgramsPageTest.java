package org.lampyris.samplers.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;

/** The programs and drawings of docs/programs.md are those of the code. */
class ProgramsPageTest {
  private static final Path PAGE = Path.of("../../docs/programs.md");
  private static final List<String> CODE =
      List.of("mixture/PaperPrograms.java", "series/StatePrograms.java");
  private static final int MOST_LINES = 20;

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  @Test
  void theProgramsAreThoseOfTheCodeAndShort() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String file : CODE) {
      all.append(
          Files.readString(Path.of("src/main/java/org/lampyris/samplers/program").resolve(file)));
    }
    String code = plain(all.toString());
    Matcher block =
        Pattern.compile("```java\n(Program program.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    int blocks = 0;
    while (block.find()) {
      blocks++;
      assertTrue(code.contains(plain(block.group(1))), block.group(1));
      long lines = block.group(1).lines().count();
      assertTrue(lines < MOST_LINES, lines + " lines");
    }
    assertEquals(6, blocks);
  }

  @Test
  void theDrawingsAreDerived() throws IOException {
    String page = plain(Files.readString(PAGE));
    Trace mixture =
        PaperPrograms.jointDpm(
            new NormalInverseWishart(new double[2], 1, 4, new double[] {1, 0, 0, 1}), 1);
    Trace series = PaperPrograms.volatility(3);
    Map<Trace, String> targets =
        Map.of(PaperPrograms.bayesLr(3, 1), "w", mixture, "w z alpha", series, "phi sigma2");
    targets.forEach(
        (trace, names) -> {
          for (String name : names.split(" ", -1)) {
            String drawing = trace.scaffold(trace.node(name)).drawing(trace);
            assertTrue(page.contains(plain(drawing)), drawing);
          }
        });
  }
}
