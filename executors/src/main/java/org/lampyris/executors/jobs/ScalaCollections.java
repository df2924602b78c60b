package org.lampyris.executors.jobs;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import scala.collection.JavaConverters;

/**
 * Views of Scala's collections as Java's, and the reverse. Scala 2.12, with which Spark 3.5 comes
 * on most platforms, lacks {@code scala.jdk.javaapi.CollectionConverters}; Scala 2.13 deprecates
 * what both have.
 */
@SuppressWarnings("deprecation")
public final class ScalaCollections {
  private ScalaCollections() {}

  /** Returns a list with the elements of a sequence. */
  public static <T> List<T> asJava(scala.collection.Seq<T> sequence) {
    return JavaConverters.seqAsJavaList(sequence);
  }

  /** Returns a map with the entries of another. */
  public static <K, V> Map<K, V> asJava(scala.collection.Map<K, V> map) {
    return JavaConverters.mapAsJavaMap(map);
  }

  /** Returns an iterator over the elements of another, which it uses up. */
  public static <T> Iterator<T> asJava(scala.collection.Iterator<T> iterator) {
    return JavaConverters.asJavaIterator(iterator);
  }

  /** Returns an iterator over the elements of another, which it uses up. */
  public static <T> scala.collection.Iterator<T> asScala(Iterator<T> iterator) {
    return JavaConverters.asScalaIterator(iterator);
  }

  /** Returns a sequence with the elements of a list. */
  public static <T> scala.collection.Seq<T> asScala(List<T> list) {
    return JavaConverters.asScalaBuffer(list);
  }
}
