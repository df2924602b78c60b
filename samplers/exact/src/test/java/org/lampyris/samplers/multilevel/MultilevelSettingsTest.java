package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.UnivariatePrior;

/** How many draws of effects are kept unless it is said. */
class MultilevelSettingsTest {
  private static List<TableEffects> effects(long levels) {
    GroupingEffects of =
        new GroupingEffects("shop", List.of("(Intercept)", "x"), new UnivariatePrior.Flat(), 1);
    double[] two = new double[2];
    return List.of(new TableEffects(of, 0, new int[2], two, levels, true));
  }

  @Test
  void drawsAreKeptAsLongAsTheyAreFew() {
    MultilevelAlgorithm.Settings unsaid = new MultilevelAlgorithm.Settings(1, 1, null);
    // 64 MiB of floats are 100 draws of 2 effects of 20,971 groups in four chains.
    assertEquals(100, unsaid.kept(effects(20_971), 4));
    assertEquals(0, unsaid.kept(effects(20_972), 4));
    assertEquals(100, unsaid.kept(effects(20_972), 2));
    assertEquals(7, new MultilevelAlgorithm.Settings(1, 1, 7).kept(effects(1_000_000), 4));
  }
}
