package org.lampyris.samplers.program;

import java.io.Serializable;

/**
 * A cluster's value, seen from a row: {@code (w (z i))}. That there is such a value is due to the
 * label.
 *
 * @param family one value a cluster
 * @param label names the row's cluster
 */
public record Member(Node family, Node label) implements Serializable {}
