package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.SelectedRows.Place;

/** Levels in the order of appearance, in whatever order the parts of a table are merged. */
class LevelScanTest {
  private static LevelScan scan(Object... levelsAndPlaces) {
    LevelScan scan = new LevelScan(LevelScan.LIMIT);
    for (int k = 0; k < levelsAndPlaces.length; k += 2) {
      Place place = (Place) levelsAndPlaces[k + 1];
      scan.add((String) levelsAndPlaces[k], 1, () -> place);
    }
    return scan;
  }

  private static Place place(String file, long start, int partition, long row) {
    return new Place(new Piece(file, start), partition, row);
  }

  /** Files come before pieces, pieces before partitions, and these before rows. */
  @Test
  void theOrderOfAppearanceIsThatOfTheInputHoweverPartsAreMerged() {
    List<LevelScan> parts =
        List.of(
            scan("d", place("b", 0, 0, 1), "a", place("b", 0, 0, 2), "d", place("b", 0, 0, 3)),
            scan("c", place("a", 900, 1, 1), "b", place("a", 900, 1, 2)),
            scan("b", place("a", 0, 2, 7), "e", place("a", 0, 2, 8)),
            scan("g", place("", 0, 4, 1)),
            scan("f", place("", 0, 3, 2), "e", place("", 0, 3, 3)));
    for (int seed = 0; seed < 50; seed++) {
      List<LevelScan> shuffled = new ArrayList<>(parts);
      Collections.shuffle(shuffled, new Random(seed));
      LevelScan total = new LevelScan(LevelScan.LIMIT);
      shuffled.forEach(total::merge);
      Map<String, Long> counts = total.counts();
      assertEquals(
          List.of("f", "e", "g", "b", "c", "d", "a"), List.copyOf(counts.keySet()), "seed " + seed);
      assertEquals(2, counts.get("b"));
      assertEquals(2, total.rows("d"));
    }
  }
}
