package org.lampyris.samplers.program;

import java.io.Serializable;
import java.util.List;

/**
 * Local section of a scaffold in one row: the nodes that hang on one child of the border.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Definition 8.
 *
 * @param nodes its nodes, in their order
 * @param needed the deterministic nodes that its values follow from, in their order, by id
 * @param changes which of these the target changes
 * @param absorbing the random nodes whose densities change, by id
 */
public record LocalSection(List<Node> nodes, int[] needed, boolean[] changes, int[] absorbing)
    implements Serializable {}
