package org.lampyris.driver.steps;

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
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;

/**
 * From what the prepared table and the bounds of a run are made, so that another attempt of it does
 * not make them again. It is noted in the output folder before a step begins, and the step's folder
 * appears whole or not at all: one that is there, and noted, is what was noted.
 *
 * @param table a hash of the sections that the table follows from, and of the names, sizes and
 *     times of the input's files
 * @param bounds a hash of that, and of the sections that the bounds follow from
 */
public record MadeFrom(Configuration conf, Path file, String table, String bounds) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TABLE = "prepared";
  private static final String BOUNDS = "bounds";

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
    return new MadeFrom(conf, new Path(job.outputFolder(), "steps.json"), table, bounds);
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
      FileStatus[] matching = fs.globStatus(path);
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
    return noted().path(TABLE).asText("").equals(table);
  }

  /** Returns whether the bounds that are there are these. */
  public boolean isBounds() {
    return noted().path(BOUNDS).asText("").equals(bounds);
  }

  /** Returns whether an earlier attempt has noted anything: then what is there is its own. */
  public boolean isNoted() {
    return noted().isObject();
  }

  private JsonNode noted() {
    try (InputStream in = file.getFileSystem(conf).open(file)) {
      JsonNode read = MAPPER.readTree(in);
      return read.isObject() ? read : MAPPER.missingNode();
    } catch (FileNotFoundException | com.fasterxml.jackson.core.JsonProcessingException e) {
      return MAPPER.missingNode();
    } catch (IOException e) {
      throw StorageProblem.reading(file.toString(), e);
    }
  }

  /** Notes that the table is about to be made: bounds that are there are not of it. */
  public void noteTable() {
    note(MAPPER.createObjectNode().put(TABLE, table));
  }

  /** Notes that the bounds are about to be made. */
  public void noteBounds() {
    note(MAPPER.createObjectNode().put(TABLE, table).put(BOUNDS, bounds));
  }

  /** Takes back what was noted, as nothing came of it. */
  public void forget() {
    try {
      file.getFileSystem(conf).delete(file, false);
    } catch (IOException e) {
      throw StorageProblem.writing(file.toString(), e);
    }
  }

  private void note(ObjectNode content) {
    try {
      FileSystem fs = file.getFileSystem(conf);
      try (OutputStream out = fs.create(file, true)) {
        out.write(MAPPER.writeValueAsBytes(content));
      }
    } catch (IOException e) {
      throw StorageProblem.writing(file.toString(), e);
    }
  }
}
