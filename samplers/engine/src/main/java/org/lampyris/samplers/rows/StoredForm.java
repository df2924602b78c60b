package org.lampyris.samplers.rows;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link Stored} values as bytes: data, from which nothing is made but records of the expected
 * types.
 *
 * <p>The form: {@code LAMPYRIS}, the number of the format (4 bytes), and a value. A value is a byte
 * that says its kind, and its content, most significant byte first. Arrays of numbers are their
 * length (4 bytes) and their elements, bit for bit. Lists, and arrays of others, are their length
 * and values; maps are their length, and texts with values. A record is the name of its class, the
 * number of its components, and each one's name with its value. A text is its length in bytes and
 * its UTF-8.
 *
 * <p>A reader trusts no byte: a length is checked against the bytes that are left before anything
 * of that length exists, the depth is limited, and a class counts only if it is a record, {@code
 * Stored}, and of the type that its place declares. Its constructor makes it, with its checks.
 *
 * <p>Whoever renames a stored class or changes components raises {@link #FORMAT}: another format is
 * refused by name. {@code StoredFormTest} reads bytes that an earlier version has written.
 */
public final class StoredForm {
  /** The number of the format that is written and read. */
  public static final int FORMAT = 1;

  private static final byte[] MAGIC = "LAMPYRIS".getBytes(StandardCharsets.US_ASCII);
  private static final int DEEPEST = 32;

  /** Kinds of values, with the byte that says so. */
  private enum Kind {
    NULL(0),
    BOOLEAN(1),
    INT(2),
    LONG(3),
    DOUBLE(4),
    TEXT(5),
    DOUBLES(6),
    FLOATS(7),
    LONGS(8),
    INTS(9),
    SHORTS(10),
    BYTES(11),
    BOOLEANS(12),
    LIST(13),
    MAP(14),
    RECORD(15);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException("it has a value of the unknown kind " + code);
    }
  }

  private StoredForm() {}

  /**
   * Returns a value as bytes.
   *
   * @throws IllegalArgumentException if it holds something that is not {@link Stored}, by its class
   */
  public static byte[] bytes(Stored value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(MAGIC);
      out.writeInt(FORMAT);
      write(out, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
    if (value == null) {
      out.writeByte(Kind.NULL.code);
    } else if (value instanceof Stored stored) {
      writeRecord(out, stored.stored());
    } else if (value instanceof Boolean b) {
      out.writeByte(Kind.BOOLEAN.code);
      out.writeBoolean(b);
    } else if (value instanceof Integer i) {
      out.writeByte(Kind.INT.code);
      out.writeInt(i);
    } else if (value instanceof Long l) {
      out.writeByte(Kind.LONG.code);
      out.writeLong(l);
    } else if (value instanceof Double d) {
      out.writeByte(Kind.DOUBLE.code);
      out.writeLong(Double.doubleToRawLongBits(d));
    } else if (value instanceof String text) {
      out.writeByte(Kind.TEXT.code);
      writeText(out, text);
    } else if (value instanceof Enum<?> one) {
      out.writeByte(Kind.TEXT.code);
      writeText(out, one.name());
    } else if (value instanceof Object[] array) {
      writeList(out, Arrays.asList(array));
    } else if (value instanceof List<?> list) {
      writeList(out, list);
    } else if (value instanceof Map<?, ?> map) {
      out.writeByte(Kind.MAP.code);
      out.writeInt(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeText(out, (String) entry.getKey());
        write(out, entry.getValue());
      }
    } else if (value.getClass().isArray()) {
      writeNumbers(out, value);
    } else {
      throw notStored(value.getClass());
    }
  }

  private static IllegalArgumentException notStored(Class<?> type) {
    return new IllegalArgumentException(
        type.getName() + " is no record that implements Stored, so no checkpoint can hold it");
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void writeList(DataOutputStream out, List<?> list) throws IOException {
    out.writeByte(Kind.LIST.code);
    out.writeInt(list.size());
    for (Object element : list) {
      write(out, element);
    }
  }

  private static void writeRecord(DataOutputStream out, Stored stored) throws IOException {
    Class<?> type = stored.getClass();
    if (!type.isRecord()) {
      throw notStored(type);
    }
    RecordComponent[] components = type.getRecordComponents();
    out.writeByte(Kind.RECORD.code);
    writeText(out, type.getName());
    out.writeInt(components.length);
    for (RecordComponent component : components) {
      writeText(out, component.getName());
      try {
        component.getAccessor().setAccessible(true);
        write(out, component.getAccessor().invoke(stored));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(type + " cannot be read", e);
      }
    }
  }

  private static void writeNumbers(DataOutputStream out, Object array) throws IOException {
    ByteBuffer bytes;
    Kind kind;
    if (array instanceof double[] numbers) {
      kind = Kind.DOUBLES;
      bytes = room(numbers.length, Double.BYTES);
      // Not by doubles: a NaN keeps its bits.
      for (double number : numbers) {
        bytes.putLong(Double.doubleToRawLongBits(number));
      }
    } else if (array instanceof float[] numbers) {
      kind = Kind.FLOATS;
      bytes = room(numbers.length, Float.BYTES);
      for (float number : numbers) {
        bytes.putInt(Float.floatToRawIntBits(number));
      }
    } else if (array instanceof long[] numbers) {
      kind = Kind.LONGS;
      bytes = room(numbers.length, Long.BYTES);
      bytes.asLongBuffer().put(numbers);
    } else if (array instanceof int[] numbers) {
      kind = Kind.INTS;
      bytes = room(numbers.length, Integer.BYTES);
      bytes.asIntBuffer().put(numbers);
    } else if (array instanceof short[] numbers) {
      kind = Kind.SHORTS;
      bytes = room(numbers.length, Short.BYTES);
      bytes.asShortBuffer().put(numbers);
    } else if (array instanceof byte[] numbers) {
      kind = Kind.BYTES;
      bytes = ByteBuffer.wrap(numbers);
    } else if (array instanceof boolean[] flags) {
      kind = Kind.BOOLEANS;
      bytes = room(flags.length, 1);
      for (boolean flag : flags) {
        bytes.put((byte) (flag ? 1 : 0));
      }
    } else {
      throw notStored(array.getClass());
    }
    out.writeByte(kind.code);
    out.writeInt(Array.getLength(array));
    out.write(bytes.array());
  }

  private static ByteBuffer room(int length, int width) {
    return ByteBuffer.allocate(Math.multiplyExact(length, width));
  }

  /**
   * Returns the value of bytes.
   *
   * @param type what it is, or what it implements
   * @param bytes what {@link #bytes} has returned. Not modified.
   * @throws IOException if they are no such value; the message says why
   */
  public static <T extends Stored> T read(Class<T> type, byte[] bytes) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    try {
      byte[] magic = new byte[MAGIC.length];
      in.get(magic);
      if (!Arrays.equals(magic, MAGIC)) {
        throw new IOException("it does not begin with LAMPYRIS, as states of chains and rows do");
      }
      int format = in.getInt();
      if (format != FORMAT) {
        throw new IOException(
            "it is of format %d, and this version reads format %d".formatted(format, FORMAT));
      }
      Object value = new Reader(in).value(type, 0);
      if (value == null || in.hasRemaining()) {
        throw new IOException("it is no " + type.getSimpleName());
      }
      return type.cast(value);
    } catch (BufferUnderflowException e) {
      throw new IOException("it ends too early", e);
    }
  }

  /** Reads values of declared types. */
  private record Reader(ByteBuffer in) {
    @Nullable Object value(Type type, int depth) throws IOException {
      if (depth > DEEPEST) {
        throw new IOException("its values lie too deep in each other");
      }
      Kind kind = Kind.of(in.get());
      Class<?> declared = declared(type);
      Object value =
          switch (kind) {
            case NULL -> null;
            case BOOLEAN -> in.get() != 0;
            case INT -> in.getInt();
            case LONG -> in.getLong();
            case DOUBLE -> Double.longBitsToDouble(in.getLong());
            case TEXT -> text(declared);
            case LIST -> list(type, declared, depth);
            case MAP -> map(type, depth);
            case RECORD -> record(depth);
            default -> numbers(kind);
          };
      if (value == null ? declared.isPrimitive() : !boxed(declared).isInstance(value)) {
        throw new IOException(
            "it has %s in the place of %s"
                .formatted(
                    value == null ? "nothing" : "a " + value.getClass().getSimpleName(),
                    declared.getSimpleName()));
      }
      return value;
    }

    private static Class<?> declared(Type type) {
      if (type instanceof Class<?> of) {
        return of;
      }
      if (type instanceof ParameterizedType of) {
        return declared(of.getRawType());
      }
      if (type instanceof TypeVariable<?> of) {
        return declared(of.getBounds()[0]);
      }
      if (type instanceof WildcardType of) {
        return declared(of.getUpperBounds()[0]);
      }
      throw new IllegalArgumentException(type + " is not stored");
    }

    private static Class<?> boxed(Class<?> type) {
      return MethodType.methodType(type).wrap().returnType();
    }

    /** Returns a length, of elements that take some bytes each at least. */
    private int length(int width) throws IOException {
      int length = in.getInt();
      if (length < 0 || length > in.remaining() / width) {
        throw new IOException(
            "it has %,d elements of %d bytes, where %,d bytes are left"
                .formatted(length, width, in.remaining()));
      }
      return length;
    }

    private String text() throws IOException {
      byte[] bytes = new byte[length(1)];
      in.get(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    private Object text(Class<?> declared) throws IOException {
      String text = text();
      if (!declared.isEnum()) {
        return text;
      }
      for (Object constant : declared.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(text)) {
          return constant;
        }
      }
      throw new IOException("it has an unknown " + declared.getSimpleName());
    }

    private Object list(Type type, Class<?> declared, int depth) throws IOException {
      int length = length(1);
      if (declared.isArray()) {
        Object array = Array.newInstance(declared.getComponentType(), length);
        if (declared.getComponentType().isPrimitive()) {
          throw new IOException("it has a list in the place of numbers");
        }
        for (int i = 0; i < length; i++) {
          Array.set(array, i, value(declared.getComponentType(), depth + 1));
        }
        return array;
      }
      Type of = argument(type, 0);
      List<@Nullable Object> list = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        list.add(value(of, depth + 1));
      }
      return list;
    }

    private Object map(Type type, int depth) throws IOException {
      int length = length(1);
      Type of = argument(type, 1);
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = 0; i < length; i++) {
        map.put(text(), value(of, depth + 1));
      }
      return map;
    }

    private static Type argument(Type type, int index) throws IOException {
      if (type instanceof ParameterizedType of && of.getActualTypeArguments().length > index) {
        return of.getActualTypeArguments()[index];
      }
      throw new IOException("it has several values in the place of one");
    }

    private Object record(int depth) throws IOException {
      String name = text();
      Class<?> type;
      try {
        type = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        throw new IOException("it has the unknown record " + name, e);
      }
      if (!type.isRecord() || !Stored.class.isAssignableFrom(type)) {
        throw new IOException(name + " is nothing that a checkpoint may hold");
      }
      RecordComponent[] components = type.getRecordComponents();
      int count = in.getInt();
      Class<?>[] types = new Class<?>[components.length];
      @Nullable Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        String component = i < count ? text() : "";
        if (count != components.length || !component.equals(components[i].getName())) {
          throw new IOException(
              "%s has other components than in this version: \"%s\" in the place of \"%s\""
                  .formatted(name, component, components[i].getName()));
        }
        types[i] = components[i].getType();
        values[i] = value(components[i].getGenericType(), depth + 1);
      }
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return ((Stored) constructor.newInstance(values)).restored();
      } catch (InvocationTargetException e) {
        throw new IOException(name + " cannot be as it is stored: " + e.getCause(), e);
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new IOException(name + " cannot be as it is stored: " + e.getMessage(), e);
      }
    }

    private Object numbers(Kind kind) throws IOException {
      switch (kind) {
        case DOUBLES -> {
          double[] numbers = new double[length(Double.BYTES)];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.longBitsToDouble(in.getLong());
          }
          return numbers;
        }
        case FLOATS -> {
          float[] numbers = new float[length(Float.BYTES)];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Float.intBitsToFloat(in.getInt());
          }
          return numbers;
        }
        case LONGS -> {
          long[] numbers = new long[length(Long.BYTES)];
          in.asLongBuffer().get(numbers);
          in.position(in.position() + numbers.length * Long.BYTES);
          return numbers;
        }
        case INTS -> {
          int[] numbers = new int[length(Integer.BYTES)];
          in.asIntBuffer().get(numbers);
          in.position(in.position() + numbers.length * Integer.BYTES);
          return numbers;
        }
        case SHORTS -> {
          short[] numbers = new short[length(Short.BYTES)];
          in.asShortBuffer().get(numbers);
          in.position(in.position() + numbers.length * Short.BYTES);
          return numbers;
        }
        case BYTES -> {
          byte[] numbers = new byte[length(1)];
          in.get(numbers);
          return numbers;
        }
        default -> {
          boolean[] flags = new boolean[length(1)];
          for (int i = 0; i < flags.length; i++) {
            flags[i] = in.get() != 0;
          }
          return flags;
        }
      }
    }
  }
}
