package org.lampyris.executors.rows;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.spark.serializer.KryoRegistrator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.bounds.rows.Values;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.SentClasses;
import scala.Tuple2;

/**
 * Registers with Kryo every class that Lampyris sends between the driver and the executors, so that
 * it also runs with {@code spark.kryo.registrationRequired=true}.
 */
public final class LampyrisRegistrator implements KryoRegistrator {
  /** Classes that Spark 4.1 itself sends when it reads and writes tables, but does not register. */
  private static final String[] SPARK_CLASSES = {
    "[[B",
    "org.apache.spark.ml.linalg.VectorUDT",
    "org.apache.spark.internal.io.FileCommitProtocol$EmptyTaskCommitMessage$",
    "org.apache.spark.internal.io.FileCommitProtocol$TaskCommitMessage",
    "org.apache.spark.sql.catalyst.InternalRow",
    "[Lorg.apache.spark.sql.catalyst.InternalRow;",
    "org.apache.spark.sql.catalyst.expressions.GenericInternalRow",
    "org.apache.spark.sql.execution.columnar.CachedBatch",
    "org.apache.spark.sql.execution.columnar.DefaultCachedBatch",
    "org.apache.spark.sql.execution.datasources.BasicWriteTaskStats",
    "org.apache.spark.sql.execution.datasources.ExecutedWriteSummary",
    "org.apache.spark.sql.execution.datasources.WriteTaskResult",
    "org.apache.spark.sql.execution.metric.SQLMetric",
    "org.apache.spark.sql.types.Decimal",
    "org.apache.spark.sql.types.DecimalType",
    "org.apache.spark.sql.types.Metadata",
    "org.apache.spark.sql.types.StructField",
    "[Lorg.apache.spark.sql.types.StructField;",
    "org.apache.spark.unsafe.types.UTF8String",
    "org.apache.spark.util.io.ChunkedByteBuffer",
    "[Lorg.apache.spark.util.io.ChunkedByteBuffer;",
    "scala.collection.immutable.ArraySeq$ofRef",
    "scala.collection.immutable.Nil$",
    "scala.reflect.ClassTag$GenericClassTag"
  };

  /** The types of columns, each a class and mostly an object. */
  private static final List<String> SPARK_TYPES =
      List.of(
          ("Array Binary Boolean Byte Char Date Double Float Integer Long Map Null Short String"
                  + " Struct Timestamp TimestampNTZ Varchar")
              .split(" "));

  /** The classes that Lampyris itself sends, in the order of their numbers. */
  private static final List<Class<?>> OWN_CLASSES =
      List.of(
          DenseBlock.class,
          SparseBlock.class,
          Values.class,
          float[].class,
          TreeSum.Node.class,
          ArrayList.class,
          HashMap.class,
          Object[].class,
          String[].class,
          boolean[].class,
          byte[].class,
          int[].class,
          long[].class,
          long[][].class,
          double[].class,
          double[][].class,
          double[][][].class,
          byte[][].class,
          Tuple2.class,
          TreeSum.Node[].class,
          RowStateJobs.Partition.class,
          RowStateJobs.Partition[].class,
          PlainBlock.class,
          Pool.class,
          EventSource.Order.class,
          PickedRows.class);

  /** What the last Kryo was given. Spark makes a Kryo for every shuffle task. */
  private static volatile @Nullable Found found;

  @Override
  public void registerClasses(Kryo kryo) {
    ClassLoader users = Thread.currentThread().getContextClassLoader();
    Found last = found;
    if (last == null || last.users != users) {
      last = new Found(users, classes(users));
      found = last;
    }
    for (Class<?> type : last.classes) {
      if (type.isRecord()) {
        // This Kryo cannot make records: they are written as Java writes them.
        kryo.register(type, new JavaSerializer());
      } else {
        kryo.register(type);
      }
    }
  }

  /** All classes to register, where the thread's class loader is {@code users}. */
  private static List<Class<?>> classes(@Nullable ClassLoader users) {
    List<Class<?>> classes = new ArrayList<>(OWN_CLASSES);
    ClassLoader own = LampyrisRegistrator.class.getClassLoader();
    sent(own).forEach(classes::add);
    // A user's jar may be known to the thread's class loader alone; its classes come last.
    if (users != null && users != own) {
      sent(users).forEach(classes::add);
    }
    Stream.concat(
            Stream.of(SPARK_CLASSES),
            SPARK_TYPES.stream()
                .map(type -> "org.apache.spark.sql.types." + type + "Type")
                .flatMap(type -> Stream.of(type, type + "$")))
        .forEach(name -> addIfThere(classes, name, users));
    return classes;
  }

  /** The classes that algorithms and modules send, sorted by the sender's name. */
  private static Stream<? extends Class<?>> sent(@Nullable ClassLoader loader) {
    return Stream.<Class<? extends SentClasses>>of(SamplingAlgorithm.class, SentClasses.class)
        .flatMap(kind -> ServiceLoader.load(kind, loader).stream())
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(sent -> sent.getClass().getName()))
        .flatMap(sent -> sent.sentClasses().stream());
  }

  private static void addIfThere(
      List<Class<?>> classes, String name, @Nullable ClassLoader loader) {
    try {
      classes.add(Class.forName(name, false, loader));
    } catch (ClassNotFoundException e) {
      // Not on the class path, or private to Spark and renamed: then it is not sent either.
    }
  }

  private record Found(@Nullable ClassLoader users, List<Class<?>> classes) {}
}
