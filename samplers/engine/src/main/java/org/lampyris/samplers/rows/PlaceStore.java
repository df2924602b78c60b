package org.lampyris.samplers.rows;

import java.io.IOException;
import java.io.Serializable;

/** Where bytes are put aside for each place of rows. Sent to where the rows are. */
public interface PlaceStore extends Serializable {
  /**
   * Writes the bytes of a place, numbered from 0, whole or not at all; again, if they are there.
   *
   * @throws IOException if they cannot be written
   */
  void write(int place, byte[] bytes) throws IOException;

  /**
   * Returns the bytes of a place.
   *
   * @throws IOException if they cannot be read
   */
  byte[] read(int place) throws IOException;
}
