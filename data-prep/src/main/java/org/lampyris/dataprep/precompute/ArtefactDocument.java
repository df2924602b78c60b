package org.lampyris.dataprep.precompute;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.NewtonPass;

/** {@code bounds.json}, field by field, in order; the digits of numbers give back their bits. */
record ArtefactDocument(
    int version,
    String libraryVersion,
    FamilySpec family,
    @JsonUnwrapped TableFacts table,
    @JsonUnwrapped Figures figures,
    List<Coefficient> coefficients,
    List<NewtonPass> history,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String checksum) {
  /** Copies the lists, which a damaged file may lack. */
  ArtefactDocument {
    coefficients = List.copyOf(coefficients);
    history = List.copyOf(history);
  }

  /**
   * What there is about the mode, and how many passes it took.
   *
   * @param rank of the factor of the covariance, where there is no matrix
   */
  record Figures(
      boolean bounds,
      double logPosterior,
      double untunedAnchor,
      double radius,
      boolean local,
      int passes,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean earlier,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer rank) {}

  /** A coefficient: its name, its prior, and its mode and standard deviation under Laplace. */
  record Coefficient(String name, String prior, double map, double sd) {}

  static ArtefactDocument of(BoundsArtefact artefact) {
    MapFit fit = artefact.fit();
    List<String> names = artefact.model().coefficients();
    List<String> priors = artefact.model().priors();
    return new ArtefactDocument(
        BoundsArtefact.VERSION,
        artefact.libraryVersion(),
        artefact.model().family(),
        artefact.table(),
        new Figures(
            artefact.hasBounds(),
            fit.logPosterior(),
            artefact.untunedAnchor(),
            artefact.radius(),
            artefact.hasBounds() && artefact.local().isPresent(),
            artefact.passes(),
            artefact.earlier() == null ? null : Boolean.TRUE,
            fit.laplace().factor() instanceof LowRankFactor factor
                ? factor.eigenvalues().length
                : null),
        IntStream.range(0, names.size())
            .mapToObj(j -> new Coefficient(names.get(j), priors.get(j), fit.theta()[j], fit.sd(j)))
            .toList(),
        fit.history(),
        null);
  }

  /** Returns the document with a checksum of itself and the matrices, or without one. */
  ArtefactDocument withChecksum(@Nullable String of) {
    return new ArtefactDocument(
        version, libraryVersion, family, table, figures, coefficients, history, of);
  }

  /** Returns the names of the collapsed bounds that there are. */
  List<String> collapsed() {
    List<String> all = List.of("tuned", "untuned", "local");
    return all.subList(0, figures.bounds ? (figures.local ? 3 : 2) : 0);
  }

  /** Returns the names of all quadratics that there are. */
  List<String> quadratics() {
    Stream<String> later = hasEarlier() ? Stream.of("later") : Stream.empty();
    return Stream.concat(collapsed().stream(), later).toList();
  }

  /** Returns θ̂. */
  double[] theta() {
    return coefficients.stream().mapToDouble(Coefficient::map).toArray();
  }

  /** Returns whether the bounds are about an earlier mode. */
  boolean hasEarlier() {
    return figures.earlier != null;
  }

  /**
   * Returns the artefact.
   *
   * @param laplace N(θ̂, Σ̂)
   * @param about what the quadratics are about, where that is not N(θ̂, Σ̂)
   * @param packed what {@link #quadratics} names, packed
   */
  BoundsArtefact with(
      LaplaceApproximation laplace, @Nullable LaplaceApproximation about, List<double[]> packed) {
    double[] origin = about == null ? laplace.mode() : about.mode();
    return new BoundsArtefact(
        libraryVersion,
        new ModelFacts(
            family,
            coefficients.stream().map(Coefficient::name).toList(),
            coefficients.stream().map(Coefficient::prior).toList()),
        table,
        new MapFit(
            laplace,
            figures.logPosterior,
            history,
            figures.rank == null ? 0 : figures.passes - history.size()),
        figures.untunedAnchor,
        figures.radius,
        collapsed().isEmpty()
            ? null
            : CollapsePass.of(origin, packed.subList(0, collapsed().size())),
        about == null
            ? null
            : new BoundsArtefact.Earlier(
                about, new CollapsedQuadratic(origin, packed.get(packed.size() - 1))));
  }
}
