package org.lampyris.executors.firefly;

import com.esotericsoftware.kryo.Kryo;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.brightness.FireflyShare;
import org.roaringbitmap.RoaringBitmap;
import scala.Tuple2;

/** The classes that Firefly keeps on executors, spills, checkpoints and sends to the driver. */
public final class BrightnessClasses {

  private BrightnessClasses() {}

  /** Registers them; the bitmap itself has a serialiser of Spark's. */
  public static void register(Kryo kryo) {
    kryo.register(BoundBlock.class);
    kryo.register(Anchors.class);
    kryo.register(BrightnessPartition.class);
    kryo.register(BrightnessPartition.ChainBrightness.class);
    kryo.register(BrightnessPartition.ChainBrightness[].class);
    kryo.register(BrightnessPartition[].class);
    kryo.register(RoaringBitmap[].class);
    kryo.register(FireflyShare.class);
    kryo.register(FireflyShare[].class);
    kryo.register(FireflyShare[][].class);
    kryo.register(FireflyShare.Counts.class);
    kryo.register(double[][][].class);
    kryo.register(TreeSum.Node[].class);
    kryo.register(TreeSum.Node[][].class);
    kryo.register(byte[][].class);
    kryo.register(Tuple2.class);
  }
}
