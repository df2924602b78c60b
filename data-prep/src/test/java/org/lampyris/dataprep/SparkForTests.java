package org.lampyris.dataprep;

import org.apache.spark.sql.SparkSession;
import org.lampyris.executors.rows.LampyrisRegistrator;

/** The session that tests share: local, and with every class that Kryo sends registered. */
public final class SparkForTests {
  private SparkForTests() {}

  /** Returns the session of this process. */
  public static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", false)
        .config("spark.sql.shuffle.partitions", 3)
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.kryo.registrator", LampyrisRegistrator.class.getName())
        .config("spark.kryo.registrationRequired", true)
        .config(
            "spark.kryo.classesToRegister",
            "org.lampyris.dataprep.blocks.VectorColumnIT$PresentUdt")
        .getOrCreate();
  }
}
