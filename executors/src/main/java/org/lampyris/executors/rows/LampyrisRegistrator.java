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

  @Override
  public void registerClasses(Kryo kryo) {
    kryo.register(DenseBlock.class);
    kryo.register(SparseBlock.class);
    kryo.register(Values.class);
    kryo.register(float[].class);
    kryo.register(TreeSum.Node.class);
    kryo.register(ArrayList.class);
    kryo.register(HashMap.class);
    kryo.register(Object[].class);
    kryo.register(String[].class);
    kryo.register(boolean[].class);
    kryo.register(byte[].class);
    kryo.register(int[].class);
    kryo.register(long[].class);
    kryo.register(long[][].class);
    kryo.register(double[].class);
    kryo.register(double[][].class);
    kryo.register(double[][][].class);
    kryo.register(byte[][].class);
    kryo.register(Tuple2.class);
    kryo.register(TreeSum.Node[].class);
    kryo.register(RowStateJobs.Partition.class);
    kryo.register(RowStateJobs.Partition[].class);
    kryo.register(PlainBlock.class);
    kryo.register(Pool.class);
    kryo.register(EventSource.Order.class);
    kryo.register(PickedRows.class);
    ClassLoader own = LampyrisRegistrator.class.getClassLoader();
    register(kryo, own);
    // A user's jar may be known to the thread's class loader alone; its classes come last.
    ClassLoader users = Thread.currentThread().getContextClassLoader();
    if (users != null && users != own) {
      register(kryo, users);
    }
    for (String name : SPARK_CLASSES) {
      register(kryo, name);
    }
    for (String type : SPARK_TYPES) {
      register(kryo, "org.apache.spark.sql.types." + type + "Type");
      register(kryo, "org.apache.spark.sql.types." + type + "Type$");
    }
  }

  /** Registers the classes that algorithms and modules send, sorted by name. */
  private static void register(Kryo kryo, ClassLoader loader) {
    Stream.<Class<? extends SentClasses>>of(SamplingAlgorithm.class, SentClasses.class)
        .flatMap(kind -> ServiceLoader.load(kind, loader).stream())
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(sent -> sent.getClass().getName()))
        .flatMap(sent -> sent.sentClasses().stream())
        .forEach(type -> register(kryo, type));
  }

  /** Registers a class; records, which this Kryo cannot make, are written as Java writes them. */
  private static void register(Kryo kryo, Class<?> type) {
    if (type.isRecord()) {
      kryo.register(type, new JavaSerializer());
    } else {
      kryo.register(type);
    }
  }

  private static void register(Kryo kryo, String name) {
    try {
      kryo.register(Class.forName(name, false, Thread.currentThread().getContextClassLoader()));
    } catch (ClassNotFoundException e) {
      // Not on the class path, or private to Spark and renamed: then it is not sent either.
    }
  }
}
