package org.lampyris.dataprep.precompute;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.optimize.MapFit;
import org.lampyris.samplers.optimize.NewtonPass;

/**
 * {@code bounds.json}, field by field and in this order. Numbers are written with the digits that
 * give back their bits.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class ArtefactDocument {
  int version = BoundsArtefact.VERSION;
  private String libraryVersion = "";
  private FamilySpec family = FamilySpec.of("");
  private String fingerprint = "";
  private List<String> columns = List.of();
  private long rows;
  private boolean bounds;
  private double logPosterior;
  private double untunedAnchor;
  private double radius;
  private boolean local;
  int passes;
  private List<Coefficient> coefficients = List.of();
  private List<NewtonPass> history = List.of();

  /** A coefficient: its name, its prior, and its mode and standard deviation under Laplace. */
  record Coefficient(String name, String prior, double map, double sd) {}

  static ArtefactDocument of(BoundsArtefact artefact) {
    MapFit fit = artefact.fit();
    ArtefactDocument document = new ArtefactDocument();
    document.libraryVersion = artefact.libraryVersion();
    document.family = artefact.family();
    document.fingerprint = artefact.table().fingerprint();
    document.columns = artefact.table().columns();
    document.rows = artefact.table().rows();
    document.bounds = artefact.hasBounds();
    document.logPosterior = fit.logPosterior();
    document.untunedAnchor = artefact.untunedAnchor();
    document.radius = artefact.radius();
    document.local = artefact.hasBounds() && artefact.local().isPresent();
    document.passes = artefact.passes();
    document.coefficients = new ArrayList<>();
    for (int j = 0; j < fit.theta().length; j++) {
      document.coefficients.add(
          new Coefficient(
              artefact.coefficients().get(j), artefact.priors().get(j), fit.theta()[j], fit.sd(j)));
    }
    document.history = fit.history();
    return document;
  }

  /** Returns how many coefficients there are. */
  int dimension() {
    return coefficients.size();
  }

  /** Returns the names of the collapsed bounds that there are. */
  List<String> collapsed() {
    if (!bounds) {
      return List.of();
    }
    return local ? List.of("tuned", "untuned", "local") : List.of("tuned", "untuned");
  }

  /**
   * Returns the artefact.
   *
   * @param covariance Σ̂
   * @param packed what {@link #collapsed} names, packed
   */
  BoundsArtefact with(double[] covariance, List<double[]> packed) {
    double[] theta = coefficients.stream().mapToDouble(Coefficient::map).toArray();
    return new BoundsArtefact(
        libraryVersion,
        new ModelFacts(
            family,
            coefficients.stream().map(Coefficient::name).toList(),
            coefficients.stream().map(Coefficient::prior).toList()),
        new TableFacts(fingerprint, columns, rows),
        new MapFit(new LaplaceApproximation(theta, covariance), logPosterior, history),
        untunedAnchor,
        radius,
        packed.isEmpty() ? null : CollapsePass.of(theta, packed));
  }
}
