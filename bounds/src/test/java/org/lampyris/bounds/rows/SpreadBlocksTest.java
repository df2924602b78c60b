package org.lampyris.bounds.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SpreadBlocksTest {
  @Test
  void asManyAsAreWantedLieAsFarApartAsCanBe() {
    for (long blocks : new long[] {1, 2, 7, 100}) {
      for (long wanted = 0; wanted <= blocks + 3; wanted++) {
        SpreadBlocks spread = new SpreadBlocks(blocks, wanted);
        long[] ids = LongStream.range(0, blocks).filter(spread::has).toArray();
        assertEquals(Math.min(wanted, blocks), ids.length);
        assertArrayEquals(ids, spread.between(0, blocks));
        for (int k = 1; k < ids.length; k++) {
          long gap = ids[k] - ids[k - 1];
          assertTrue(gap == blocks / spread.wanted() || gap == blocks / spread.wanted() + 1);
        }
        long cut = blocks / 3;
        assertArrayEquals(
            ids,
            LongStream.concat(
                    LongStream.of(spread.between(0, cut)),
                    LongStream.of(spread.between(cut, blocks + 5)))
                .toArray());
      }
    }
  }
}
