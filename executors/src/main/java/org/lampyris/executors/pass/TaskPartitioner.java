package org.lampyris.executors.pass;

import org.apache.spark.Partitioner;

/** Gives each task, by its number from 0, a partition of its own. */
public final class TaskPartitioner extends Partitioner {
  private final int tasks;

  /** Takes the number of tasks. */
  public TaskPartitioner(int tasks) {
    this.tasks = tasks;
  }

  @Override
  public int numPartitions() {
    return tasks;
  }

  @Override
  public int getPartition(Object task) {
    return (Integer) task;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskPartitioner that && that.tasks == tasks;
  }

  @Override
  public int hashCode() {
    return tasks;
  }
}
