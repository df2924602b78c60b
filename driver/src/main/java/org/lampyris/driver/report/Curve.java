package org.lampyris.driver.report;

/**
 * Points that belong together, in order.
 *
 * @param name for the legend; empty for none
 * @param x where they are; not copied
 * @param y as many; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Curve(String name, double[] x, double[] y) {}
