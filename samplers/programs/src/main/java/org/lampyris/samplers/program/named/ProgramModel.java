package org.lampyris.samplers.program.named;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;

/**
 * Probabilistic program that a job file names by its class: {@code model.family: com.acme.MyModel}.
 * Only {@link #trace} must be overridden:
 *
 * <pre>{@code
 * public final class LogOdds implements ProgramModel {
 *   @Override
 *   public Trace trace(FamilySpec spec, List<String> columns) {
 *     Program program = new Program();
 *     Node w = program.global("w", normal(columns.size(), 0, 2.5));
 *     program.perRow(row -> row.observe("y", bernoulli(w.dot()), v -> v.response()));
 *     return program.trace();
 *   }
 * }
 * }</pre>
 *
 * <p>The draws are the numbers that exist in every trace and are drawn or computed once: {@code
 * mu}, and {@code w[x1]} of a vector with an element for each column, else {@code w[1]}. The number
 * of clusters that rows have is reported under the name of their process.
 *
 * <p>The class is public and has a public constructor without parameters. It keeps no state: a run
 * that resumes makes it again.
 */
public interface ProgramModel extends ModelProvider {
  /**
   * Runs the program and returns its trace.
   *
   * @param spec {@link FamilySpec#text} has the values of {@code model.options}
   * @param columns the names of the table's columns, by which {@link #column} finds their numbers
   */
  Trace trace(FamilySpec spec, List<String> columns);

  /**
   * Returns the move of an iteration; empty for the moves that follow from the trace, see {@link
   * TraceMoves}. It must give the same step from the same state. Whoever heeds {@code settings}
   * makes {@code sampler.program.epsilon} say whether the chains are exact.
   */
  default Optional<Move> move(ProgramRows rows, ProgramAlgorithm.Settings settings) {
    return Optional.empty();
  }

  /** Returns the start of a chain: values drawn from their priors, unless overridden. */
  default ProgramState begin(ProgramRows rows, int chain) {
    return rows.begin(chain);
  }

  /** Returns in how many clusters the rows of a mixture begin; 1 without clusters. */
  default int clusters() {
    return 1;
  }

  /**
   * Returns the number of a column, from 0.
   *
   * @throws UserException (data) if there is no such column
   */
  static int column(List<String> columns, String name) {
    int number = columns.indexOf(name);
    if (number < 0) {
      throw UserException.data(
          "the program reads the column '%s', but the table has %s. Name it in data.features."
              .formatted(name, String.join(", ", columns)));
    }
    return number;
  }

  @Override
  default boolean isProgram() {
    return true;
  }

  @Override
  default boolean hasBound() {
    return false;
  }

  @Override
  default boolean usesColumns() {
    return false;
  }

  @Override
  default Model model(FamilySpec spec, List<String> columns) {
    return ProgramNumbers.of(this, spec, columns);
  }

  @Override
  default List<String> coefficients(FamilySpec spec, List<String> columns) {
    return ProgramNumbers.of(this, spec, columns).names();
  }

  @Override
  default List<ConfiguredPrior> priors(
      FamilySpec spec, List<String> columns, Function<String, ConfiguredPrior> priorOf) {
    return Collections.nCopies(coefficients(spec, columns).size(), ConfiguredPrior.ofProgram());
  }
}
