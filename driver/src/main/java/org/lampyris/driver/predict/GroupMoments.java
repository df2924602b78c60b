package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.family.LabelKind;

/**
 * Mean and variance of T_g = Σ w y / Σ w over groups of rows under the model: the mean over draws
 * of Σ w E[y | θ] / Σ w; and the variance over draws of that, with the mean over draws of Σ w Var(y
 * | θ) / (Σ w)².
 */
final class GroupMoments {
  private static final int CHUNK = 256;

  private final Replicates.Of of;
  private final int draws;

  private GroupMoments(Replicates.Of of) {
    this.of = of;
    this.draws = of.fitted().draws().length;
  }

  /** Returns the panels, without what replicates tell. */
  static List<Panel> panels(Replicates.Of of) {
    return new GroupMoments(of).panels();
  }

  /** Of each group: Σ w E of each draw, Σ w Var of each, and what no draw enters. */
  private double[][][] room() {
    return of.by().stream()
        .map(grouping -> new double[grouping.groups()][2 * draws + 4])
        .toArray(double[][][]::new);
  }

  private void add(int i, double[][] expected, Grouping by, double[] sum) {
    double w = of.rows().weight(i) * of.rows().copies(i);
    double squared = of.kind() == LabelKind.SUCCESSES ? w : of.rows().weight(i) * w;
    double[] mean = expected[by.output()];
    for (int s = 0; s < draws; s++) {
      sum[s] += w * mean[s];
      sum[draws + s] +=
          squared * of.fitted().expectation().variance(mean[s], of.fitted().draws()[s]);
    }
    double y = of.rows().response(i);
    sum[2 * draws] += w;
    sum[2 * draws + 1] += w * (of.kind() == LabelKind.CLASSES ? (y == by.output() ? 1 : 0) : y);
    sum[2 * draws + 2] += w * by.value()[i];
    sum[2 * draws + 3] += of.rows().copies(i);
  }

  private List<Panel> panels() {
    int size = of.rows().size();
    List<double[][][]> chunks =
        IntStream.range(0, (size + CHUNK - 1) / CHUNK)
            .parallel()
            .mapToObj(
                chunk -> {
                  double[][][] sums = room();
                  PosteriorPredictor.Row at = of.predictor().row();
                  for (int i = chunk * CHUNK; i < Math.min(size, (chunk + 1) * CHUNK); i++) {
                    double[][] expected = of.rows().expected(at, i);
                    for (int p = 0; p < sums.length; p++) {
                      Grouping by = of.by().get(p);
                      add(i, expected, by, sums[p][by.of()[i]]);
                    }
                  }
                  return sums;
                })
            .toList();
    double[][][] all = room();
    for (double[][][] sums : chunks) {
      for (int p = 0; p < all.length; p++) {
        for (int g = 0; g < all[p].length; g++) {
          for (int k = 0; k < all[p][g].length; k++) {
            all[p][g][k] += sums[p][g][k];
          }
        }
      }
    }
    return IntStream.range(0, all.length).mapToObj(p -> panel(of.by().get(p), all[p])).toList();
  }

  private Panel panel(Grouping by, double[][] sums) {
    List<Panel.Group> groups = new ArrayList<>();
    for (int g = 0; g < sums.length; g++) {
      groups.add(group(by.names().isEmpty() ? "" : by.names().get(g), sums[g]));
    }
    return new Panel(by.what(), by.kind(), groups);
  }

  private Panel.Group group(String name, double[] sum) {
    double w = sum[2 * draws];
    double mean = 0;
    double within = 0;
    for (int s = 0; s < draws; s++) {
      mean += sum[s] / w / draws;
      within += sum[draws + s] / (w * w) / draws;
    }
    double between = 0;
    for (int s = 0; s < draws; s++) {
      between += (sum[s] / w - mean) * (sum[s] / w - mean) / Math.max(1, draws - 1);
    }
    return new Panel.Group(
        name,
        sum[2 * draws + 2] / w,
        Math.round(sum[2 * draws + 3]),
        sum[2 * draws + 1] / w,
        mean,
        Math.sqrt(within + between),
        new Panel.Replicated(Double.NaN, Double.NaN, w));
  }
}
