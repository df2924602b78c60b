package org.lampyris.samplers.testdata;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;

/** Objects as bytes, and back. */
public final class Serialised {
  private Serialised() {}

  /** Returns an object as bytes. */
  public static byte[] bytes(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns what an object is after it has been bytes. */
  @SuppressWarnings("unchecked") // the class of what was written
  public static <T extends Serializable> T copy(T object) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(object)))) {
      return (T) in.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
