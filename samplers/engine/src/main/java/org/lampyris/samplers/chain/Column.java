package org.lampyris.samplers.chain;

import java.io.Serializable;

/**
 * What an algorithm tells of each iteration beyond what all of them tell.
 *
 * @param name the column in the statistics of iterations
 * @param label a short name for the progress line
 * @param whole whether its numbers are whole
 */
public record Column(String name, String label, boolean whole) implements Serializable {}
