package org.lampyris.driver.predict;

/**
 * Numbers of rows by cells, observed and replicated.
 *
 * @param edges ends of the cells, one more than there are cells. Not copied
 * @param observed Σ w over rows in each cell. Not copied
 * @param mean over the replicated tables. Not copied
 * @param low 2.5 % quantile over them. Not copied
 * @param high 97.5 % quantile. Not copied
 * @param some numbers of rows of some replicated tables, by tables and cells. Not copied
 * @param log whether cells are equally wide on a logarithmic axis
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Histogram(
    double[] edges,
    double[] observed,
    double[] mean,
    double[] low,
    double[] high,
    double[][] some,
    boolean log) {}
