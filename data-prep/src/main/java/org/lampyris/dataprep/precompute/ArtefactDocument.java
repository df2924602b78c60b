package org.lampyris.dataprep.precompute;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.samplers.optimize.MapFit;
import org.lampyris.samplers.optimize.NewtonPass;

/**
 * {@code bounds.json}, field by field. Numbers are written with the digits that give back their
 * bits.
 */
record ArtefactDocument(
    int version,
    String libraryVersion,
    String family,
    String fingerprint,
    long rows,
    double logPosterior,
    double untunedAnchor,
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
              artefact.table().columns().get(j),
              artefact.priors().get(j),
              fit.theta()[j],
              fit.sd(j)));
    }
    return new ArtefactDocument(
        BoundsArtefact.VERSION,
        artefact.libraryVersion(),
        artefact.family(),
        artefact.table().fingerprint(),
        artefact.table().rows(),
        fit.logPosterior(),
        artefact.untunedAnchor(),
        artefact.passes(),
        coefficients,
        fit.history());
  }

  BoundsArtefact with(double[] covariance, double[] tuned, double[] untuned) {
    double[] theta = coefficients.stream().mapToDouble(Coefficient::map).toArray();
    return new BoundsArtefact(
        libraryVersion,
        family,
        coefficients.stream().map(Coefficient::prior).toList(),
        new TableFacts(fingerprint, coefficients.stream().map(Coefficient::name).toList(), rows),
        new MapFit(theta, logPosterior, covariance, history),
        untunedAnchor,
        new CollapsedQuadratic(theta, tuned),
        new CollapsedQuadratic(theta, untuned));
  }
}
