package org.lampyris.dataprep;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.lampyris.executors.rows.LampyrisRegistrator;
import org.lampyris.executors.table.LocalDisk;

/** The session that tests share: local, and with every class that Kryo sends registered. */
public final class SparkForTests {
  private SparkForTests() {}

  /** Returns the session of this process. */
  public static SparkSession session() {
    SparkConf conf = new SparkConf().setMaster("local[2]");
    LocalDisk.use(conf);
    return SparkSession.builder()
        .config(conf)
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
