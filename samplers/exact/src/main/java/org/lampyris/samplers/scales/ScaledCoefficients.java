package org.lampyris.samplers.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;

/**
 * A model whose coefficients have sampled scales, as any algorithm of coefficients draws it: the
 * kernel to give to the algorithm, and what its draws are reported as.
 *
 * @param columns the effects of grouping factors, which are coefficients here
 * @param scales all scale groups: those of the grouping factors come first, in their order
 */
public record ScaledCoefficients(EffectColumns columns, ScaledPrior scales) {
  /** How many effects have their draws in memory at a time. */
  private static final int AT_ONCE = 256;

  /**
   * Returns the kernel.
   *
   * @param making makes the kernel that moves coefficients
   * @param prior of the coefficients that the rows know, scales left out
   * @param needs of the algorithm
   */
  public RunInputs.Kernel kernel(
      RunInputs.Making making,
      LaplaceApproximation laplace,
      ProductPrior prior,
      Set<Need> needs,
      @Nullable Double targetAcceptance) {
    ScaleMoves moves =
        new ScaleMoves(
            scales,
            NormalGivenScales.of(scales, laplace, likelihood(laplace, prior), still(prior)));
    ThetaKernel kernel = making.kernel(laplace, prior);
    return new RunInputs.Kernel(
        needs.contains(Need.PROPOSAL) && kernel instanceof ProposalKernel proposal
            ? new ScaledProposal(making, proposal, prior, moves)
            : new ScaledKernel(making, kernel, prior, moves, needs.contains(Need.BOUND), false),
        targetAcceptance,
        making);
  }

  /**
   * Returns the second-order expansion of the log-likelihood at the mode, which shapes moves of
   * scales and decides nothing.
   *
   * @param laplace approximates the coefficients' posterior given wide scales; has a precision
   * @param prior of the coefficients, scales left out
   */
  public CollapsedQuadratic likelihood(LaplaceApproximation laplace, ProductPrior prior) {
    double[] mode = laplace.mode();
    int d = mode.length;
    double[] gradient = new double[d];
    double[] curvature = new double[d];
    prior.addGradient(mode, gradient);
    prior.addCurvature(mode, curvature);
    double[] precision = laplace.precision().orElseThrow().matrix();
    double[] wide = scales.precision(scales.wide());
    double[] given = scales.precision(scales.centre());
    double[] packed = new double[CollapsedQuadratic.packedLength(d)];
    int linear = packed.length - d - 1;
    int k = 0;
    for (int i = 0; i < d; i++) {
      packed[linear + i] = -gradient[i];
      for (int j = 0; j < d; j++) {
        packed[linear + i] += given[i * d + j] * mode[j];
        if (j <= i) {
          double ofPrior = i == j ? -curvature[i] : 0;
          packed[k++] = -0.5 * (precision[i * d + j] - wide[i * d + j] - ofPrior);
        }
      }
    }
    return new CollapsedQuadratic(mode, packed);
  }

  /** Returns the coefficients of monotonic effects, which have a sign and an order to keep. */
  private static int[] still(ProductPrior prior) {
    return prior.monotonic() == null
        ? new int[0]
        : prior.monotonic().effects().stream()
            .flatMapToInt(one -> Arrays.stream(one.places()))
            .toArray();
  }

  /**
   * Returns a result as it is reported: draws of the table's own coefficients, then of the scales;
   * the effects are summarised, one by one.
   *
   * @param own how many columns the table has itself
   * @param kept how many draws of every effect and chain are passed on, evenly spaced
   */
  public RunResult reported(RunResult result, int own, EffectSink sink, int kept) {
    summarize(result.chains(), sink, kept);
    List<String> names = new ArrayList<>();
    List<String> priors = new ArrayList<>();
    for (ScaleGroup group : scales.groups()) {
      names.addAll(group.names());
      priors.addAll(group.priors());
    }
    return result
        .withChains(result.chains().stream().map(chain -> chain.mapped(x -> one(x, own))).toList())
        .withBeyond(new RunResult.Beyond(names, priors));
  }

  private double[] one(double[] theta, int own) {
    int known = scales.known(theta.length);
    int effects = columns.names().size();
    int reported = scales.groups().stream().mapToInt(group -> group.names().size()).sum();
    double[] draw = new double[known - effects + reported];
    System.arraycopy(theta, 0, draw, 0, own);
    System.arraycopy(theta, own + effects, draw, own, known - own - effects);
    int at = known - effects;
    for (int g = 0; g < scales.groups().size(); g++) {
      double[] group = scales.groups().get(g).reported(scales.phi(g, theta));
      System.arraycopy(group, 0, draw, at, group.length);
      at += group.length;
    }
    return draw;
  }

  private void summarize(List<ChainTrace> chains, EffectSink sink, int kept) {
    int draws = chains.get(0).size();
    NormalScores scores = NormalScores.table(chains.size(), draws);
    for (int g = 0; g < columns.groupings().size(); g++) {
      GroupingEffects effects = columns.groupings().get(g).effects();
      int q = effects.size();
      int atOnce = Math.max(1, AT_ONCE / q) * q;
      long[] keys = columns.keys(g);
      for (int from = 0; from < keys.length * q; from += atOnce) {
        int count = Math.min(atOnce, keys.length * q - from);
        double[][][] all = new double[count][chains.size()][draws];
        for (int c = 0; c < chains.size(); c++) {
          int i = 0;
          int first = columns.first(g) + from;
          for (ChainTrace.Draw draw : chains.get(c).drawsFrom(0)) {
            double[] drawn = Arrays.copyOfRange(draw.theta(), first, first + count);
            double[] reported = effects.toInput(drawn);
            for (int k = 0; k < count; k++) {
              all[k][c][i] = reported[k];
            }
            i++;
          }
        }
        List<VariableSummary> summaries =
            Arrays.stream(all).parallel().map(one -> VariableSummary.of("", one, scores)).toList();
        for (int k = 0; k < count; k++) {
          VariableSummary of = summaries.get(k);
          sink.add(
              g,
              keys[(from + k) / q],
              (from + k) % q,
              new double[] {
                of.mean(),
                of.sd(),
                of.quantiles().q5(),
                of.quantiles().median(),
                of.quantiles().q95(),
                of.mixing().rhat(),
                of.mixing().essBulk()
              },
              spaced(all[k], kept));
        }
      }
    }
  }

  /** Returns so many draws of each chain, evenly spaced, chain by chain. */
  private static float[] spaced(double[][] chains, int kept) {
    int draws = chains[0].length;
    int each = Math.min(draws, kept);
    float[] out = new float[chains.length * each];
    int at = 0;
    for (double[] chain : chains) {
      for (int k = 0; k < each; k++) {
        out[at++] = (float) chain[(int) (((k + 1L) * draws - 1) / each)];
      }
    }
    return out;
  }
}
