package org.lampyris.driver.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;

/**
 * From what the prepared table and the bounds of a run are made, so that another attempt of it does
 * not make them again. It is noted in the output folder before a step begins, and what the step has
 * made after it has ended: what is there is skipped if it is that, and is replaced only where an
 * attempt of this run has noted that folder.
 *
 * @param table follows from the sections that a table does, and from the names, sizes and times of
 *     the input's files
 * @param bounds follow from that, and from the sections that bounds do
 */
public record MadeFrom(Configuration conf, Path file, Step table, Step bounds) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FOLDER = "_folder";
  private static final String MADE = "_made";

  /**
   * A step, and what it makes.
   *
   * @param key what it is called in the note
   * @param folder where it is put, whole or not at all
   * @param document the name of the file that tells what is in there
   * @param from a hash of what it is made from
   */
  record Step(String key, String folder, String document, String from) {}

  /** Returns what a run's would be made from. */
  public static MadeFrom of(Configuration conf, JobConfig job) {
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
    return new MadeFrom(
        conf,
        new Path(job.outputFolder(), "steps.json"),
        new Step("prepared", job.preparedFolder(), TableSchema.FILE, table),
        new Step("bounds", job.boundsFolder(), BoundsArtefact.FILE, bounds));
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

  /** Returns the input's files; of an input that is none, something that is never the same. */
  private static String files(Configuration conf, String input) {
    TreeSet<String> files = new TreeSet<>();
    try {
      Path path = new Path(input);
      FileSystem fs = path.getFileSystem(conf);
      FileStatus[] matching =
          fs.exists(path) ? new FileStatus[] {fs.getFileStatus(path)} : fs.globStatus(path);
      for (FileStatus one : matching == null ? new FileStatus[0] : matching) {
        RemoteIterator<LocatedFileStatus> all = fs.listFiles(one.getPath(), true);
        while (all.hasNext()) {
          LocatedFileStatus file = all.next();
          files.add(file.getPath() + " " + file.getLen() + " " + file.getModificationTime());
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      files.clear();
    }
    return files.isEmpty() ? UUID.randomUUID().toString() : files.toString();
  }

  /** Returns whether the prepared table that is there is this one. */
  public boolean isTable() {
    return isMade(table);
  }

  /** Returns whether the bounds that are there are these. */
  public boolean isBounds() {
    return isMade(bounds);
  }

  private boolean isMade(Step step) {
    ObjectNode noted = noted();
    String made = noted.path(step.key + MADE).asText("");
    return noted.path(step.key).asText("").equals(step.from)
        && !made.isEmpty()
        && made.equals(document(step));
  }

  /** Returns whether an attempt of this run has put a prepared table there, or begun to. */
  public boolean ownsTable() {
    return owns(table);
  }

  /** Returns whether an attempt of this run has put bounds there, or begun to. */
  public boolean ownsBounds() {
    return owns(bounds);
  }

  private boolean owns(Step step) {
    return noted().path(step.key + FOLDER).asText("").equals(step.folder);
  }

  /** Returns a hash of the document in a step's folder; nothing if there is none. */
  private String document(Step step) {
    Path path = new Path(step.folder, step.document);
    try (InputStream in = path.getFileSystem(conf).open(path)) {
      return hash(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      return "";
    } catch (IOException e) {
      throw StorageProblem.reading(path.toString(), e);
    }
  }

  /** Returns what is noted; empty if nothing is. */
  private ObjectNode noted() {
    try (InputStream in = file.getFileSystem(conf).open(file)) {
      return MAPPER.readTree(in) instanceof ObjectNode read ? read : MAPPER.createObjectNode();
    } catch (FileNotFoundException | com.fasterxml.jackson.core.JsonProcessingException e) {
      return MAPPER.createObjectNode();
    } catch (IOException e) {
      throw StorageProblem.reading(file.toString(), e);
    }
  }

  /**
   * Notes that the table is about to be made: bounds that are there are not of it.
   *
   * @return takes that back, if nothing comes of it
   */
  public Runnable beginTable() {
    ObjectNode before = noted();
    ObjectNode now = before.deepCopy();
    now.remove(List.of(bounds.key, bounds.key + MADE));
    begin(now, table);
    return () -> note(before);
  }

  /** Notes that the table has been made. */
  public void endTable() {
    end(table);
  }

  /** Notes that the bounds are about to be made, of the table that is there. */
  public void beginBounds() {
    begin(noted(), bounds);
  }

  /** Notes that the bounds have been made. */
  public void endBounds() {
    end(bounds);
  }

  private void begin(ObjectNode now, Step step) {
    now.remove(step.key + MADE);
    note(now.put(step.key, step.from).put(step.key + FOLDER, step.folder));
  }

  private void end(Step step) {
    note(noted().put(step.key + MADE, document(step)));
  }

  private void note(ObjectNode content) {
    try {
      FileSystem fs = file.getFileSystem(conf);
      if (content.isEmpty()) {
        fs.delete(file, false);
        return;
      }
      try (OutputStream out = fs.create(file, true)) {
        out.write(MAPPER.writeValueAsBytes(content));
      }
    } catch (IOException e) {
      throw StorageProblem.writing(file.toString(), e);
    }
  }
}
