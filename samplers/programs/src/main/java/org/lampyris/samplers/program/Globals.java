package org.lampyris.samplers.program;

import java.util.Arrays;
import org.lampyris.samplers.rows.Stored;

/**
 * The values outside of the rows, in one chain, and when each was last changed. Immutable by
 * convention: arrays are not copied.
 *
 * @param values of globals, and of what follows from them, by slot
 * @param clusters of each family and cluster, a vector
 * @param sums what is known of each cluster's rows; first, how many there are
 * @param places the cluster of a label as it is stored in the rows
 * @param changed at which time a node was last changed, by id
 * @param latentsChanged at which time some row's latent values were
 * @param time how many changes there were
 */
public record Globals(
    double[] values,
    double[][][] clusters,
    double[][] sums,
    int[] places,
    int[] changed,
    int latentsChanged,
    int time)
    implements Stored {
  /** Returns the number of clusters. */
  public int clusterCount() {
    return sums.length;
  }

  /** Returns a node's value, for a cluster if it has one for each; not a copy. */
  public double[] value(Node node, int cluster) {
    return node.kind() == Node.Kind.PER_CLUSTER
        ? clusters[node.slot()][cluster]
        : Arrays.copyOfRange(values, node.slot(), node.slot() + node.dimension());
  }

  /**
   * Returns the same with another value of a node. Computed values that depend on it are not
   * updated.
   */
  Globals with(Node node, int cluster, double[] value) {
    int[] changes = changed.clone();
    changes[node.id()] = time + 1;
    if (node.kind() == Node.Kind.PER_CLUSTER) {
      double[][][] others = clusters.clone();
      others[node.slot()] = clusters[node.slot()].clone();
      others[node.slot()][cluster] = value.clone();
      return new Globals(values, others, sums, places, changes, latentsChanged, time + 1);
    }
    double[] others = values.clone();
    System.arraycopy(value, 0, others, node.slot(), value.length);
    return new Globals(others, clusters, sums, places, changes, latentsChanged, time + 1);
  }

  /** Returns the same after latent values of rows have changed. */
  public Globals afterSweep() {
    return new Globals(values, clusters, sums, places, changed, time + 1, time + 1);
  }

  /** Returns the same with other clusters, with the statistics of all labelled rows. */
  public Globals withClusters(double[][][] others, double[][] otherSums, int[] otherPlaces) {
    return new Globals(values, others, otherSums, otherPlaces, changed, time + 1, time + 1);
  }
}
