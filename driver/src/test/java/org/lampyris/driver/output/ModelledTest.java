package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

class ModelledTest {
  private static List<String> doubts(FamilySpec spec, LabelKind kind, long levels, int... column) {
    List<String> effects =
        column.length == 1 ? List.of("(Intercept)") : List.of("x", "(Intercept)");
    TableEffects random =
        new TableEffects(
            new GroupingEffects("id", effects, new UnivariatePrior.Normal(0, 1), 1),
            0,
            column,
            new double[column.length],
            levels,
            true);
    PriorConfig priors = PriorConfig.of("auto", Map.of(), PriorConfig.Scale.INPUT);
    FamilySpec known =
        kind == LabelKind.CLASSES
            ? new FamilySpec(spec.name(), Map.of(), List.of("1", "2", "3"))
            : spec;
    ModelOfTable model = ModelOfTable.of(known, List.of("(Intercept)", "x"), priors, null);
    return Modelled.inseparable(kind, 1_240, model.withRandom(List.of(random)));
  }

  private static List<String> doubts(String family, LabelKind kind, long levels) {
    FamilySpec spec = FamilySpec.of(family);
    return doubts(family.equals("robust") ? spec.with("df", "4") : spec, kind, levels, -1);
  }

  private static String sentence(String what) {
    return "'id' has 1,240 groups for 1,240 rows, so the rows do not determine "
        + what
        + ". Remove (1 | id), or group by a column with repeated values.";
  }

  private static void assertSaid(String what, String family, LabelKind kind) {
    assertEquals(List.of(sentence(what)), doubts(family, kind, 1_240), family);
  }

  @Test
  void eachRowItsOwnGroupIsSaidWithWhatItIsConfoundedWith() {
    assertSaid("sigma and sd_id__Intercept apart", "gaussian", LabelKind.REAL);
    assertSaid("shape and sd_id__Intercept apart", "negative_binomial", LabelKind.COUNT);
    assertSaid("phi and sd_id__Intercept apart", "beta", LabelKind.SHARE);
    assertSaid("scale and sd_id__Intercept apart", "robust", LabelKind.REAL);
    assertSaid("shape and sd_id__Intercept apart", "gamma", LabelKind.POSITIVE);
    assertSaid("how large sd_id__Intercept is", "logistic", LabelKind.BINARY);
    assertSaid("how large sd_id__Intercept is", "probit", LabelKind.BINARY);
    assertSaid("how large sd_id__Intercept is", "ordinal", LabelKind.CLASSES);
    assertEquals(
        List.of(sentence("sigma and sd_id__Intercept apart")),
        doubts(FamilySpec.of("gaussian"), LabelKind.REAL, 1_240, 1, -1),
        "beside a slope");
  }

  /** Overdispersion of counts, a given σ, and groups that repeat: nothing is said. */
  @Test
  void whatTheRowsTellIsNotDoubted() {
    assertEquals(List.of(), doubts("poisson", LabelKind.COUNT, 1_240));
    assertEquals(List.of(), doubts("binomial", LabelKind.SUCCESSES, 1_240));
    FamilySpec known = FamilySpec.of("gaussian").with("sigma", "2");
    assertEquals(List.of(), doubts(known, LabelKind.REAL, 1_240, -1));
    assertEquals(List.of(), doubts(FamilySpec.of("gaussian"), LabelKind.REAL, 1_240, 1), "a slope");
    assertEquals(1, doubts("gaussian", LabelKind.REAL, 1_231).size(), "9 rows repeat a group");
    assertEquals(List.of(), doubts("gaussian", LabelKind.REAL, 1_230), "10 do");
  }

  /** (x || g) of a year is another model at its mean; (x | g) and (0 + x | g) are not. */
  @Test
  void interceptsFarFromTheRowsAreSaidToBeIndependentThere() {
    TableScale table =
        new TableScale(
            new ColumnCenters(new double[] {0, 2015}, 0),
            List.of(1.0, 1.0),
            List.of(new Moments(1, 0), new Moments(2015, 3)),
            List.of(0.0, 3.0),
            null,
            null,
            null);
    UnivariatePrior sd = new UnivariatePrior.Normal(0, 1);
    GroupingEffects intercept = new GroupingEffects("g", List.of("(Intercept)"), sd, 1);
    GroupingEffects slope = new GroupingEffects("g", List.of("x"), sd, 1);
    assertEquals(
        List.of(
            "Intercepts and slopes of 'x' by g are independent where it is 0, 672 standard"
                + " deviations from its mean. At its mean they are not. Write scale(x) in its"
                + " place, or (x | g)."),
        independent(table, intercept.and(slope), -1, 1));
    GroupingEffects both = new GroupingEffects("g", List.of("(Intercept)", "x"), sd, 1);
    assertEquals(List.of(), independent(table, both.about(new double[] {0, 2015}), -1, 1));
    assertEquals(
        List.of(
            "The prior of intercepts by g is about 'x' = 0, 672 standard deviations from its mean,"
                + " and chains may not find where they vary as they do. Write scale(x) in its"
                + " place, or leave out model.intercept_at."),
        independent(table, both, -1, 1));
    assertEquals(List.of(), independent(table, slope, 1));
  }

  private static List<String> independent(TableScale table, GroupingEffects of, int... column) {
    TableEffects random = new TableEffects(of, 0, column, new double[column.length], 60, false);
    PriorConfig priors = PriorConfig.of("auto", Map.of(), PriorConfig.Scale.INPUT);
    List<String> columns = List.of("(Intercept)", "x");
    ModelOfTable model = ModelOfTable.of(FamilySpec.of("logistic"), columns, priors, table);
    return Modelled.farFromZero(table, model.withRandom(List.of(random)));
  }
}
