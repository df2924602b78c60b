package org.lampyris.bounds.family.density;

import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.TableScale;

/**
 * Independent component analysis of the signals that are the features and, the last of them, the
 * label. The coefficient {@code wj_k} is element k of row j of the unmixing matrix W.
 *
 * <p>The kernel {@code stiefel} keeps W orthonormal, for signals that are white. Priors that are
 * the same normal(0, s) for all elements, as the default is, depend on Σ W_jk² alone, which is D
 * there: they are uniform on the manifold.
 */
public final class IcaFamily extends NamedFamily {
  public IcaFamily() {
    super("ica", LabelKind.REAL);
  }

  @Override
  public boolean usesColumns() {
    return false;
  }

  @Override
  public boolean isMatrix() {
    return true;
  }

  @Override
  public boolean hasBound() {
    return false;
  }

  private static int order(List<String> columns) {
    return columns.size() + 1;
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new IcaModel(order(columns));
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    int order = order(columns);
    return IntStream.range(0, order * order)
        .mapToObj(i -> "w%d_%d".formatted(1 + i / order, 1 + i % order))
        .toList();
  }

  /** The identity: at 0 the likelihood is 0. */
  @Override
  public double[] start(FamilySpec spec, List<String> columns) {
    int order = order(columns);
    double[] identity = new double[order * order];
    for (int j = 0; j < order; j++) {
      identity[j * order + j] = 1;
    }
    return identity;
  }

  /** Refuses columns that are not stored as they are: W is that of the signals themselves. */
  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    ColumnCenters centers = table.centers();
    boolean asTheyAre =
        IntStream.range(0, centers.dimension())
            .allMatch(j -> table.scales().get(j) == 1 && centers.of(j) == 0);
    if (centers.intercept() >= 0 || !asTheyAre) {
      throw UserException.usage(
          "model.family: ica unmixes the signals as they are; set data.intercept: false, leave"
              + " data.standardize out, and prepare the table again.");
    }
    return spec;
  }
}
