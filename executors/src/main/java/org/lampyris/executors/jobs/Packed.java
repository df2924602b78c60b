package org.lampyris.executors.jobs;

import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag$;

/**
 * Objects as bytes, by Java's serialisation, on the driver and in tasks: for results and states
 * that hold records, which Kryo 4 cannot read.
 */
public final class Packed {
  private Packed() {}

  /** Returns an object as bytes. */
  public static byte[] pack(Serializable object) {
    ByteBuffer packed = serializer().serialize(object, ClassTag$.MODULE$.apply(Object.class));
    byte[] bytes = new byte[packed.remaining()];
    packed.get(bytes);
    return bytes;
  }

  /** Returns the object of bytes from {@link #pack}; its type is not checked. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as what was packed
  public static <T> T unpack(byte[] bytes) {
    return (T)
        serializer()
            .deserialize(
                ByteBuffer.wrap(bytes),
                Thread.currentThread().getContextClassLoader(),
                ClassTag$.MODULE$.apply(Object.class));
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
