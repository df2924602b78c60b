package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.Partition;
import org.apache.spark.rdd.PartitionCoalescer;
import org.apache.spark.rdd.PartitionGroup;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Has each task read given partitions in a given order, where most of them lie. A partition may be
 * given to several.
 */
final class PieceRuns implements PartitionCoalescer, Serializable {
  private final List<int[]> runs;

  PieceRuns(List<int[]> runs) {
    this.runs = runs;
  }

  @Override
  public PartitionGroup[] coalesce(int most, RDD<?> parent) {
    Partition[] all = parent.partitions();
    return runs.stream().map(run -> group(run, all, parent)).toArray(PartitionGroup[]::new);
  }

  private static PartitionGroup group(int[] run, Partition[] all, RDD<?> parent) {
    Map<String, Long> hosts =
        Arrays.stream(run)
            .boxed()
            .flatMap(
                k ->
                    CollectionConverters.asJava(parent.preferredLocations(all[k])).stream()
                        .distinct())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    Option<String> most =
        Option.apply(
            hosts.entrySet().stream()
                .max(
                    Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .orElse(null));
    PartitionGroup group = new PartitionGroup(most);
    Arrays.stream(run).forEach(k -> group.partitions().addOne(all[k]));
    return group;
  }
}
