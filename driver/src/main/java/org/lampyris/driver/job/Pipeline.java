package org.lampyris.driver.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.executors.table.AtomicMove;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;

/**
 * Steps of a run before its chains, as values: the prepared table, and the bounds computed from it.
 * Each step knows its inputs, so another attempt of the run can skip it. A step is noted in the
 * output folder before it starts, and its result after it ends. A folder that holds the same is
 * left as it is, and is replaced only where an attempt of this run has noted it.
 *
 * @param table follows from the sections that a table does, and from the names, sizes, times and
 *     bytes of the input's files
 * @param bounds follow from that, and from the sections that bounds do
 */
public record Pipeline(Step table, Step bounds) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FOLDER = "_folder";
  private static final String MADE = "_made";
  private static final int PIECES = 256;

  /** Returns the steps of a run. */
  public static Pipeline of(Configuration conf, JobConfig job) {
    Map<String, ?> all = EffectiveConfig.asMap(job);
    ObjectNode data = MAPPER.valueToTree(all.get("data"));
    data.remove("partitions");
    String table =
        hash(
            LibraryVersion.get(),
            data,
            MAPPER.valueToTree(all.get("model")),
            job.sampler().run().seed(),
            job.preparedFolder(),
            files(conf, String.valueOf(job.data().source().input())));
    String bounds =
        hash(table, MAPPER.<JsonNode>valueToTree(all.get("precompute")), job.boundsFolder());
    Path notes = new Path(job.outputFolder(), "steps.json");
    Step last =
        new Step(
            conf,
            notes,
            "precompute",
            "bounds",
            job.boundsFolder(),
            BoundsArtefact.FILE,
            bounds,
            null);
    return new Pipeline(
        new Step(
            conf,
            notes,
            "prepare",
            "prepared",
            job.preparedFolder(),
            TableSchema.FILE,
            table,
            last),
        last);
  }

  private static String hash(Object... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Object part : parts) {
        digest.update(part.toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), 16));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Returns the input's files with their sizes and times and a check on their bytes; for other
   * inputs, a value that never repeats.
   */
  private static String files(Configuration conf, String input) {
    TreeMap<String, FileStatus> files = new TreeMap<>();
    try {
      Path path = new Path(input);
      FileSystem fs = path.getFileSystem(conf);
      FileStatus[] matching =
          fs.exists(path) ? new FileStatus[] {fs.getFileStatus(path)} : fs.globStatus(path);
      for (FileStatus one : matching == null ? new FileStatus[0] : matching) {
        RemoteIterator<LocatedFileStatus> all = fs.listFiles(one.getPath(), true);
        while (all.hasNext()) {
          LocatedFileStatus file = all.next();
          files.put(file.getPath() + " " + file.getLen() + " " + file.getModificationTime(), file);
        }
      }
      if (!files.isEmpty()) {
        return files.keySet() + " " + crc(fs, List.copyOf(files.values()));
      }
    } catch (IOException | IllegalArgumentException e) {
      // The step itself tells of an input that cannot be read.
    }
    return UUID.randomUUID().toString();
  }

  /**
   * Returns a check (CRC-32C) on the files' bytes: on all of them up to 16 MiB in one file, and
   * else on {@value #PIECES} pieces, evenly spaced over the files and within each from its end.
   */
  private static long crc(FileSystem fs, List<FileStatus> files) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] piece = new byte[1 << 16];
    int opened = Math.min(files.size(), PIECES);
    int each = PIECES / opened;
    for (int f = 0; f < opened; f++) {
      FileStatus file = files.get((int) ((long) f * files.size() / opened));
      long step = Math.max(piece.length, (file.getLen() - piece.length) / Math.max(1, each - 1));
      try (FSDataInputStream in = fs.open(file.getPath())) {
        long end = file.getLen();
        for (int k = 0; k < each && end > 0; k++, end -= step) {
          int length = (int) Math.min(piece.length, end);
          in.readFully(end - length, piece, 0, length);
          crc.update(piece, 0, length);
        }
      }
    }
    return crc.getValue();
  }

  /**
   * A step and its result.
   *
   * @param notes the file in which the steps are noted
   * @param name the command that does it alone
   * @param key what it is called in the notes
   * @param folder where it is put, whole or not at all
   * @param document the file that identifies the folder's content
   * @param from a hash of what it is made from
   * @param next the step that uses this step's result; null for the last
   */
  public record Step(
      Configuration conf,
      Path notes,
      String name,
      String key,
      String folder,
      String document,
      String from,
      @Nullable Step next) {
    /** Returns whether the folder already holds the result of this step. */
    public boolean isMade() {
      ObjectNode noted = noted();
      String made = noted.path(key + MADE).asText("");
      return noted.path(key).asText("").equals(from) && !made.isEmpty() && made.equals(content());
    }

    /** Returns whether an attempt of this run has written to the folder, or started to. */
    public boolean isOwn() {
      return noted().path(key + FOLDER).asText("").equals(folder);
    }

    /**
     * Runs the step and notes its result; a failed step leaves the notes as they were.
     *
     * @param fence throws once another process has taken over; then the notes are left to it
     */
    public void make(Going.Fence fence, Runnable work) {
      fence.require();
      Runnable undo = begin();
      boolean done = false;
      try {
        work.run();
        fence.require();
        end();
        done = true;
      } finally {
        // Spark throws checked exceptions that its methods do not declare.
        if (!done) {
          fence.require();
          undo.run();
        }
      }
    }

    /**
     * Notes that the step is about to run, so the next step's result is no longer valid.
     *
     * @return takes that back, if nothing comes of it
     */
    Runnable begin() {
      ObjectNode before = noted();
      ObjectNode now = before.deepCopy();
      now.remove(key + MADE);
      if (next != null) {
        now.remove(List.of(next.key, next.key + MADE));
      }
      note(now.put(key, from).put(key + FOLDER, folder));
      return () -> note(before);
    }

    /** Notes that the step has been done. */
    void end() {
      note(noted().put(key + MADE, content()));
    }

    /** Returns a hash of the document in the step's folder; empty if it is missing. */
    private String content() {
      Path path = new Path(folder, document);
      try (InputStream in = path.getFileSystem(conf).open(path)) {
        return hash(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (FileNotFoundException e) {
        return "";
      } catch (IOException e) {
        throw StorageProblem.reading(path.toString(), e);
      }
    }

    /** Returns the notes; empty if there are none. */
    private ObjectNode noted() {
      try (InputStream in = notes.getFileSystem(conf).open(notes)) {
        return MAPPER.readTree(in) instanceof ObjectNode read ? read : MAPPER.createObjectNode();
      } catch (FileNotFoundException | com.fasterxml.jackson.core.JsonProcessingException e) {
        return MAPPER.createObjectNode();
      } catch (IOException e) {
        throw StorageProblem.reading(notes.toString(), e);
      }
    }

    private void note(ObjectNode content) {
      try {
        if (content.isEmpty()) {
          notes.getFileSystem(conf).delete(notes, false);
        } else {
          AtomicMove.write(conf, notes, MAPPER.writeValueAsBytes(content));
        }
      } catch (IOException e) {
        throw StorageProblem.writing(notes.toString(), e);
      }
    }
  }
}
