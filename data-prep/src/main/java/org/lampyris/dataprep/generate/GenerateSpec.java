package org.lampyris.dataprep.generate;

import org.jspecify.annotations.Nullable;

/**
 * What to generate: a logistic regression table with known coefficients.
 *
 * @param rows how many rows, at least 1
 * @param features how many features besides the intercept, at least 1
 * @param seed the seed; the table depends on it and not on the number of partitions
 * @param correlation the correlation of any two features, in [0, 1)
 * @param positiveRate the expected share of positive labels, in (0, 1), reached through the
 *     intercept; null for an intercept of 0
 * @param tailDf degrees of freedom of Student-t features for heavy tails, above 2; null for normal
 *     features
 * @param effectScale standard deviation of the linear predictor about its mean
 * @param format "parquet", "csv" or "libsvm"
 * @param output the folder to write: {@code table/} and {@code true_coefficients.csv}
 * @param overwrite whether an existing folder is replaced
 */
public record GenerateSpec(
    long rows,
    int features,
    long seed,
    double correlation,
    @Nullable Double positiveRate,
    @Nullable Double tailDf,
    double effectScale,
    String format,
    String output,
    boolean overwrite) {}
