package org.lampyris.dataprep.design;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Categorical.Order;
import org.lampyris.executors.table.TableSchema.Feature;

/** The order of levels, and which are kept. */
class LevelChoiceTest {
  private static final Map<String, Long> COUNTS =
      Map.of("10", 5L, "9", 7L, "b", 7L, "a", 2L, CellText.MISSING, 9L);

  private static Feature byFrequency(@Nullable String reference, @Nullable Integer top) {
    return LevelChoice.of(
        "f", COUNTS, new Categorical(List.of(), reference, top, null, Order.FREQUENCY));
  }

  @Test
  void byDefaultNumbersAreInOrderOfValueAndTextInOrderOfCharacters() {
    Feature feature = LevelChoice.of("f", COUNTS, Categorical.DEFAULT);
    assertEquals(List.of("9", "10", "a", "b", CellText.MISSING), feature.levels());
    assertEquals("9", feature.reference());
  }

  /** As Spark's StringIndexer: equally frequent ones by value, and cells without a value last. */
  @Test
  void theMostFrequentOneIsFirstOnDemand() {
    Feature feature = byFrequency(null, null);
    assertEquals(List.of("9", "b", "10", "a", CellText.MISSING), feature.levels());
    assertEquals("9", feature.reference());
    assertEquals("a", byFrequency("a", null).reference());
  }

  @Test
  void asTheyAppearOnDemand() {
    Map<String, Long> counts = new LinkedHashMap<>();
    List.of("c", CellText.MISSING, "10", "a", "9", "b")
        .forEach(level -> counts.put(level, (long) level.charAt(0)));
    Feature all =
        LevelChoice.of("f", counts, new Categorical(List.of(), null, null, null, Order.APPEARANCE));
    assertEquals(List.of("c", "10", "a", "9", "b", CellText.MISSING), all.levels());
    assertEquals("c", all.reference());
    Feature top =
        LevelChoice.of("f", counts, new Categorical(List.of(), null, 2, "c", Order.APPEARANCE));
    assertEquals(List.of("b", CellText.MISSING, "c"), top.levels());
  }

  @Test
  void theMostFrequentOnesAreKeptInTheirOrder() {
    Feature feature = byFrequency(null, 3);
    assertEquals(List.of("9", "b", "10", CellText.MISSING, "(other)"), feature.levels());
    assertEquals("(other)", feature.other());
  }
}
