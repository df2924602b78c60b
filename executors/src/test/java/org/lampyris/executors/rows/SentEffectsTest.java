package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.multilevel.LevelEffects;
import scala.reflect.ClassTag$;

/** Effects of which something is known, as an executor puts them on disk where memory is short. */
class SentEffectsTest {
  @Test
  void theirShapesAreRegistered() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.kryo.registrationRequired", "true")
            .set("spark.kryo.registrator", LampyrisRegistrator.class.getName());
    SerializerInstance kryo = new KryoSerializer(conf).newInstance();
    LevelEffects plain = LevelEffects.zero(3, 1, 2).with(new double[] {1, -2, 0.5});
    double[] sums = new double[3 * LevelEffects.shapeSums(1, 2)];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = 1 + i;
    }
    LevelEffects shaped = plain.shaped(sums, plain, new double[] {2});
    LevelEffects read =
        kryo.deserialize(
            kryo.serialize(shaped, ClassTag$.MODULE$.apply(LevelEffects.class)),
            ClassTag$.MODULE$.apply(LevelEffects.class));
    assertArrayEquals(shaped.values(), read.values());
    assertArrayEquals(shaped.ridge(), read.ridge());
  }
}
