package org.lampyris.dataprep.read;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;

/**
 * The files behind an input path: a file, a folder, or a pattern.
 *
 * @param named whether the input is a file or a folder of this very name
 * @param roots what the path names or matches
 * @param files the files there, by name
 */
record InputFiles(
    String input,
    boolean named,
    Charset charset,
    Configuration conf,
    List<Path> roots,
    List<Path> files) {
  /** Longest line allowed, because a line must fit in memory. */
  private static final int LONGEST_LINE = 1 << 26;

  /** Bytes that the driver reads in less time than a job of Spark's takes to begin. */
  private static final long SMALL = 4 << 20;

  /** What opening a file costs, in bytes that are read in that time. */
  private static final long OPENING = 1 << 18;

  /** Prefix of a path: a file system with a machine, or a drive. */
  private static final Pattern FILE_SYSTEM =
      Pattern.compile("^([A-Za-z]:(?=[/\\\\])|[A-Za-z][A-Za-z0-9+.-]+:(//[^/]*)?)");

  /**
   * Lists the files by name. A path that is there is itself, whatever characters it has; others are
   * patterns. Files that begin with a dot or an underscore are left out, as Spark does.
   *
   * @param conf how files are read. Modified: compressed files that Hadoop cannot read are known.
   * @throws UserException (usage) if there is none
   */
  static InputFiles list(String input, Charset charset, Configuration conf) {
    ZstdCodec.addTo(conf);
    if (FILE_SYSTEM.matcher(input).replaceFirst("").contains(":")) {
      throw colon("the input " + input);
    }
    try {
      Path path = new Path(input);
      FileSystem fs = path.getFileSystem(conf);
      boolean named = fs.exists(path);
      FileStatus[] found = named ? new FileStatus[] {fs.getFileStatus(path)} : fs.globStatus(path);
      if (found == null || found.length == 0) {
        throw UserException.usage("the input " + input + " does not exist. Correct data.input.");
      }
      List<Path> roots = new ArrayList<>();
      List<Path> files = new ArrayList<>();
      for (FileStatus status : found) {
        roots.add(status.getPath());
        add(fs, status, files);
      }
      if (files.isEmpty()) {
        throw UserException.data("the input folder " + input + " holds no files");
      }
      files.sort(Comparator.naturalOrder());
      return new InputFiles(input, named, charset, conf, roots, files);
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.reading("the input " + input, e);
    }
  }

  private static UserException colon(String file) {
    return UserException.usage(
        file
            + " has a colon in its name, which Hadoop reads as the end of a file system's name."
            + " Rename it.");
  }

  /** Returns the paths of the files, for {@link #reader}. */
  String[] paths() {
    return files.stream().map(Path::toString).toArray(String[]::new);
  }

  /** Returns a reader that takes paths literally, including pattern characters. */
  static DataFrameReader reader(SparkSession spark) {
    return spark.read().option("__globPaths__", false);
  }

  private static void add(FileSystem fs, FileStatus status, List<Path> files) throws IOException {
    if (!status.isDirectory()) {
      requireFile(status.getPath());
      files.add(status.getPath());
      return;
    }
    for (FileStatus child : fs.listStatus(status.getPath())) {
      String name = child.getPath().getName();
      if (!name.startsWith(".") && (!name.startsWith("_") || name.contains("="))) {
        if (name.contains(":")) {
          throw colon(Path.getPathWithoutSchemeAndAuthority(child.getPath()).toString());
        }
        add(fs, child, files);
      }
    }
  }

  /**
   * Returns the columns from folders' names, as in {@code store=01/}, each with its values as
   * written, in the order of the folders; empty if there are none.
   *
   * @throws UserException (data) if they are not the same for all files
   */
  Map<String, Set<String>> partitions() {
    Map<String, Set<String>> columns = new LinkedHashMap<>();
    List<String> first = List.of();
    for (Path file : files) {
      Deque<String[]> own = new ArrayDeque<>();
      for (Path at = file.getParent();
          !roots.contains(file) && at != null && !roots.contains(at) && at.getName().contains("=");
          at = at.getParent()) {
        own.addFirst(at.getName().split("=", 2));
      }
      List<String> names = own.stream().map(one -> unescaped(one[0])).toList();
      if (file.equals(files.get(0))) {
        first = names;
      } else if (!names.equals(first)) {
        throw UserException.data(
            "the folders of %s give the columns %s, but the folders of %s give %s. Put all files of an input in folders with the same columns."
                .formatted(display(file), names, display(files.get(0)), first));
      }
      own.forEach(
          one ->
              columns
                  .computeIfAbsent(unescaped(one[0]), name -> new TreeSet<>())
                  .add(unescaped(one[1])));
    }
    return columns;
  }

  private static String unescaped(String name) {
    return ExternalCatalogUtils.unescapePathName(name);
  }

  /** Refuses pipes and devices, which can be read only once or never end. */
  private static void requireFile(Path path) {
    if ("file".equals(path.toUri().getScheme())
        && !Files.isRegularFile(java.nio.file.Path.of(path.toUri().getPath()))) {
      throw UserException.usage(
          "the input %s is a pipe or a device, which can be read only once. Write it to a file and name the file."
              .formatted(path.toUri().getPath()));
    }
  }

  /** Returns a file's path for messages: as the user wrote it if the input is one file. */
  String display(Path file) {
    return new Path(input).getName().equals(file.getName())
        ? input
        : Path.getPathWithoutSchemeAndAuthority(file).toString();
  }

  /** Returns true if some file can only be read from its beginning. */
  boolean unsplittable() {
    CompressionCodecFactory codecs = new CompressionCodecFactory(conf);
    return files.stream()
        .map(codecs::getCodec)
        .anyMatch(codec -> codec != null && !(codec instanceof SplittableCompressionCodec));
  }

  /** Opens a file's text, decompressed according to its name. */
  BufferedReader open(Path file) throws IOException {
    return open(file, charset);
  }

  private BufferedReader open(Path file, Charset text) throws IOException {
    InputStream in = file.getFileSystem(conf).open(file);
    CompressionCodec codec = new CompressionCodecFactory(conf).getCodec(file);
    Reader reader = new InputStreamReader(codec == null ? in : codec.createInputStream(in), text);
    return new BufferedReader(new Lines(reader, display(file)), 1 << 16);
  }

  /** Text whose lines end, some time. */
  private static final class Lines extends FilterReader {
    private final String file;
    private int length;

    Lines(Reader in, String file) {
      super(in);
      this.file = file;
    }

    @Override
    public int read(char[] to, int from, int size) throws IOException {
      int read = super.read(to, from, size);
      for (int i = from; i < from + read; i++) {
        length = to[i] == '\n' || to[i] == '\r' ? 0 : length + 1;
      }
      if (length > LONGEST_LINE) {
        throw UserException.data(
            "%s has a line of more than %d characters. Correct the file, or data.format."
                .formatted(file, LONGEST_LINE));
      }
      return read;
    }
  }

  /** Returns whether the driver reads them sooner than a job of Spark's begins. */
  boolean areSmall() {
    long bytes = 0;
    try {
      for (int k = 0; k < files.size() && bytes <= SMALL; k++) {
        bytes += files.get(k).getFileSystem(conf).getFileStatus(files.get(k)).getLen() + OPENING;
      }
    } catch (IOException e) {
      throw StorageProblem.reading(input, e);
    }
    return bytes <= SMALL;
  }

  /** Returns the position and value of the first byte that is not UTF-8; null if there is none. */
  @Nullable String notUtf8() {
    for (Path file : files) {
      // Of this character set each character is a byte.
      try (BufferedReader reader = open(file, StandardCharsets.ISO_8859_1)) {
        long number = 1;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
          int good = utf8(bytes);
          if (good < bytes.length) {
            return "%s, line %s, byte %s of the line is 0x%02X"
                .formatted(display(file), number, good + 1, bytes[good]);
          }
          number++;
        }
      } catch (IOException e) {
        throw StorageProblem.reading(input, e);
      }
    }
    return null;
  }

  /** Returns how many bytes are UTF-8, from the first on. */
  private static int utf8(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(bytes.length), true);
    return result.isError() ? in.position() : bytes.length;
  }

  /** Looks for something in a file that messages call {@code file}. */
  @FunctionalInterface
  interface Look {
    @Nullable String in(BufferedReader reader, String file) throws IOException;
  }

  /** Returns the result from the first file that has one; null if none has. */
  @Nullable String search(Look look) {
    for (Path file : files) {
      try (BufferedReader reader = open(file)) {
        String found = look.in(reader, display(file));
        if (found != null) {
          return found;
        }
      } catch (IOException e) {
        throw StorageProblem.reading(input, e);
      }
    }
    return null;
  }
}
