package org.lampyris.samplers.chain;

import java.io.Serializable;

/**
 * Figure that an algorithm reports for each iteration, in addition to the common ones.
 *
 * @param name the column in the statistics of iterations
 * @param label a short name for the progress line
 * @param whole whether its numbers are whole
 */
public record Column(String name, String label, boolean whole) implements Serializable {}
