package org.lampyris.dataprep.precompute;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.optimize.MapFit;
import org.lampyris.samplers.optimize.NewtonPass;

/**
 * {@code bounds.json}, field by field. Numbers are written with the digits that give back their
 * bits.
 */
record ArtefactDocument(
    int version,
    String libraryVersion,
    FamilySpec family,
    String fingerprint,
    List<String> columns,
    long rows,
    boolean bounds,
    double logPosterior,
    double untunedAnchor,
    double radius,
    boolean local,
    int passes,
    List<Coefficient> coefficients,
    List<NewtonPass> history) {

  /** A coefficient: its name, its prior, and its mode and standard deviation under Laplace. */
  record Coefficient(String name, String prior, double map, double sd) {}

  static ArtefactDocument of(BoundsArtefact artefact) {
    MapFit fit = artefact.fit();
    List<Coefficient> coefficients = new ArrayList<>();
    for (int j = 0; j < fit.theta().length; j++) {
      coefficients.add(
          new Coefficient(
              artefact.coefficients().get(j), artefact.priors().get(j), fit.theta()[j], fit.sd(j)));
    }
    return new ArtefactDocument(
        BoundsArtefact.VERSION,
        artefact.libraryVersion(),
        artefact.family(),
        artefact.table().fingerprint(),
        artefact.table().columns(),
        artefact.table().rows(),
        artefact.hasBounds(),
        fit.logPosterior(),
        artefact.untunedAnchor(),
        artefact.radius(),
        artefact.hasBounds() && artefact.local().isPresent(),
        artefact.passes(),
        coefficients,
        fit.history());
  }

  /**
   * Returns the artefact.
   *
   * @param covariance Σ̂
   * @param packed the tuned quadratic, the untuned one and the local one, if there is any, packed;
   *     empty without bounds
   */
  BoundsArtefact with(double[] covariance, List<double[]> packed) {
    double[] theta = coefficients.stream().mapToDouble(Coefficient::map).toArray();
    return new BoundsArtefact(
        libraryVersion,
        family,
        coefficients.stream().map(Coefficient::name).toList(),
        coefficients.stream().map(Coefficient::prior).toList(),
        new TableFacts(fingerprint, columns, rows),
        new MapFit(new LaplaceApproximation(theta, covariance), logPosterior, history),
        untunedAnchor,
        radius,
        packed.isEmpty() ? null : CollapsePass.of(theta, packed));
  }
}
