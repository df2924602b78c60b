package org.lampyris.executors.jobs;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * Input of a job's tasks: sent with the tasks, or by broadcast if it is large. Tasks carry what all
 * earlier steps were given as long as lost states are computed from there: by broadcast, that is a
 * reference each.
 */
public final class Sent<T extends Serializable> implements Serializable {
  /** From as many bytes on Spark warns of a task's size. */
  private static final long MUCH = 1 << 20;

  /** Values by what they came in, whose identity is the key. */
  private static final Map<byte[], Object> UNPACKED = new WeakHashMap<>();

  private final @Nullable T within;
  private final @Nullable Broadcast<byte[]> broadcast;

  private Sent(@Nullable T within, @Nullable Broadcast<byte[]> broadcast) {
    this.within = within;
    this.broadcast = broadcast;
  }

  /**
   * Prepares a value for sending.
   *
   * @param bytes about how many bytes it takes
   */
  public static <T extends Serializable> Sent<T> of(JavaSparkContext context, T what, long bytes) {
    return bytes < MUCH ? new Sent<>(what, null) : once(context, what);
  }

  /** Sends a value by broadcast: one that the tasks of many jobs need. */
  public static <T extends Serializable> Sent<T> once(JavaSparkContext context, T what) {
    return new Sent<>(null, context.broadcast(Packed.pack(what)));
  }

  /** Returns it, on an executor. */
  public T get() {
    return within != null ? within : Packed.unpack(Objects.requireNonNull(broadcast).value());
  }

  /**
   * Returns it, the same object for all tasks of a process: nothing may modify it. It is kept as
   * long as Spark keeps the broadcast there.
   */
  @SuppressWarnings("unchecked") // as it was sent
  public T shared() {
    if (within != null) {
      return within;
    }
    byte[] packed = Objects.requireNonNull(broadcast).value();
    synchronized (UNPACKED) {
      return (T) UNPACKED.computeIfAbsent(packed, Packed::unpack);
    }
  }

  /** Removes the broadcast, once no task needs it. */
  public void drop() {
    if (broadcast != null) {
      broadcast.destroy();
    }
  }
}
