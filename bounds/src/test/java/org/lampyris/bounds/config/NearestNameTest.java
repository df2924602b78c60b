package org.lampyris.bounds.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  private static final List<String> KNOWN = List.of("distance", "month", "origin");

  @Test
  void hintsAtTheNameThatIsNearOrAtAll() {
    assertEquals("did you mean 'distance'?", NearestName.hint("distanse", KNOWN));
    assertEquals("did you mean 'month'?", NearestName.hint("Month", KNOWN));
    assertEquals("there are: distance, month, origin", NearestName.hint("xyz", KNOWN));
  }
}
