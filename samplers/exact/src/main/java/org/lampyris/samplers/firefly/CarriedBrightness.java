package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Rows;

/**
 * The brightness of one chain together with the data of the bright rows, on the way from one
 * segment to the next: a handful of rows, whatever the size of the table. Immutable by convention.
 *
 * @param rows the bright rows, a selection of each block, ascending; Java-serialisable
 */
public record CarriedBrightness(Brightness brightness, List<PickedRows<BoundBlock>> rows)
    implements Serializable {
  /** Returns that of a chain of which no row is bright. */
  public static CarriedBrightness dark() {
    return new CarriedBrightness(Brightness.dark(), new ArrayList<>());
  }

  /** Takes the bright rows out of those at hand. */
  public static CarriedBrightness of(Brightness brightness, Rows<BoundBlock> rows) {
    return new CarriedBrightness(brightness, PickedRows.of(rows, brightness.rows()));
  }

  /** Joins one chain's bright rows of several places, at least one, ascending by block. */
  public static CarriedBrightness join(List<CarriedBrightness> places) {
    double[][] thetas = places.get(0).brightness.thetas();
    int count = places.stream().mapToInt(CarriedBrightness::size).sum();
    long[] ids = new long[count];
    double[][] logRatios = new double[thetas.length][count];
    List<PickedRows<BoundBlock>> rows = new ArrayList<>();
    int at = 0;
    for (CarriedBrightness place : places) {
      rows.addAll(place.rows);
      System.arraycopy(place.brightness.rows(), 0, ids, at, place.size());
      for (int k = 0; k < thetas.length; k++) {
        System.arraycopy(place.brightness.logRatios()[k], 0, logRatios[k], at, place.size());
      }
      at += place.size();
    }
    return new CarriedBrightness(new Brightness(thetas, ids, logRatios), rows);
  }

  /** Returns how many rows are bright. */
  public int size() {
    return brightness.size();
  }
}
