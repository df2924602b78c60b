package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorParser;

class DriverRoomTest {
  private static TableEffects of(String group, long levels, boolean together) {
    GroupingEffects effects =
        new GroupingEffects(
            group, List.of("(Intercept)"), PriorParser.parse("half_normal(0, 1)"), 1);
    return new TableEffects(effects, 0, new int[] {-1}, new double[1], levels, together);
  }

  private static MultilevelAlgorithm.DriverRoom room(long items, int chains) {
    return new MultilevelAlgorithm.DriverRoom(
        List.of(of("user", 50_000_000, true), of("item", items, false)), chains, 3, 1000, 0);
  }

  @Test
  void onlyEffectsThatTheDriverHoldsTakeRoom() {
    MultilevelAlgorithm.DriverRoom room = room(1_000_000, 4);
    assertEquals(0, room.bytes(room.groupings().get(0)));
    // 250 of the recorder, 128 of numbers, 36 of each of the 5 sums of a shape.
    assertEquals(4_000_000L * (250 + 128 + 180), room.bytes(room.groupings().get(1)));
    assertDoesNotThrow(() -> room.require(4L << 30));
  }

  /** A bin of so many draws may need 32 bits: 128 bytes more of a recorder. */
  @Test
  void longRunsTakeMoreRoom() {
    List<TableEffects> items = List.of(of("item", 1000, false));
    long many = new MultilevelAlgorithm.DriverRoom(items, 1, 3, 65_536, 0).bytes(items.get(0));
    long few = new MultilevelAlgorithm.DriverRoom(items, 1, 3, 65_535, 0).bytes(items.get(0));
    assertEquals(1000L * 128 * 5 / 4, many - few);
  }

  @Test
  void whatTheDriverCannotHoldIsRefused() {
    UserException told =
        assertThrows(UserException.class, () -> room(1_000_000, 4).require(2L << 30));
    assertEquals(UserException.Kind.USAGE, told.kind());
    assertTrue(
        String.valueOf(told.getMessage())
            .contains(
                "With 4 chains they take about 2,128 MB, but the driver has 2,048 MB in all. Give"
                    + " it 3,547 MB (--driver-memory)"),
        told.getMessage());
    told = assertThrows(UserException.class, () -> room(600_000_000, 1).require(Long.MAX_VALUE));
    assertTrue(String.valueOf(told.getMessage()).contains("more than the driver can number"));
  }
}
