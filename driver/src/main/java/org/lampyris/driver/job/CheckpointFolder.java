package org.lampyris.driver.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.jobs.Packed;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.samplers.chain.Checkpoint;

/**
 * The folder {@code checkpoint} of an output folder.
 *
 * <p>Checkpoint number k is {@code checkpoint-k.json}. It is written under another name and renamed
 * after all files that it names exist: {@code state-k/}, with the states of chains and rows, and
 * the parts of {@code draws/} and {@code sampler_stats/} so far. The one with the largest number
 * counts; what none names is left over from a run that was ended while it wrote, and is removed by
 * the next.
 */
public final class CheckpointFolder {
  static final String DRAWS = "draws";
  static final String STEPS = "sampler_stats";

  private static final String NAME = "checkpoint";
  private static final Pattern DOCUMENT = Pattern.compile("checkpoint-(\\d{6,})\\.json");
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Configuration conf;
  private final Path folder;
  private final FileSystem fs;

  /** Takes the folder in an output folder; nothing is made. */
  public CheckpointFolder(Configuration conf, String output) {
    this.conf = conf;
    this.folder = new Path(output, NAME);
    try {
      this.fs = folder.getFileSystem(conf);
    } catch (IOException e) {
      throw StorageProblem.writing(output, e);
    }
  }

  /**
   * Description of a checkpoint.
   *
   * @param number its number, from 1
   * @param algorithm the algorithm's name, chosen
   * @param reached how far the chains are
   * @param parts the numbers of the parts of the traces, ascending
   * @param partitions over how many partitions the table was spread
   * @param crc a check on the bytes of the chains' states (CRC-32C)
   */
  record Description(
      int number,
      RunIdentity identity,
      String algorithm,
      Reached reached,
      List<Integer> parts,
      int partitions,
      long crc) {
    Description {
      parts = List.copyOf(parts);
    }
  }

  /**
   * Progress of the chains.
   *
   * @param wanted how many draws of each chain are wanted
   * @param iteration the last iteration that was made of each, from 1
   * @param initialEvaluations how many likelihood evaluations it took to begin each chain
   */
  record Reached(int wanted, long iteration, List<Long> initialEvaluations) {
    Reached {
      initialEvaluations = List.copyOf(initialEvaluations);
    }
  }

  /** Returns the description of the last checkpoint, if any. */
  Optional<Description> last() {
    try {
      Optional<Integer> number = numbers().stream().max(Comparator.naturalOrder());
      return number.isEmpty() ? Optional.empty() : Optional.of(read(number.get()));
    } catch (IOException e) {
      throw StorageProblem.reading(folder.toString(), e);
    }
  }

  /** Returns whether a checkpoint exists. */
  public boolean isKept() {
    try {
      return !numbers().isEmpty();
    } catch (IOException e) {
      throw StorageProblem.reading(folder.toString(), e);
    }
  }

  private List<Integer> numbers() throws IOException {
    return files(folder).stream()
        .map(status -> DOCUMENT.matcher(status.getPath().getName()))
        .filter(Matcher::matches)
        .map(matcher -> Integer.valueOf(matcher.group(1)))
        .toList();
  }

  private List<FileStatus> files(Path of) throws IOException {
    try {
      return List.of(fs.listStatus(of));
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /**
   * Reads a description. Its version comes first: another version's has other fields, too.
   *
   * @throws UserException (usage) if another version of Lampyris wrote it; (data) if it is damaged
   */
  private Description read(int number) throws IOException {
    Path file = document(number);
    try (InputStream in = fs.open(file)) {
      JsonNode tree = MAPPER.readTree(in);
      JsonNode version = tree.at("/identity/lampyris");
      if (version.isTextual() && !version.textValue().equals(LibraryVersion.get())) {
        throw UserException.usage(
            "%s was written by Lampyris %s, and this is Lampyris %s, which resumes only its own checkpoints. Resume with Lampyris %s, or start again with --overwrite."
                .formatted(file, version.textValue(), LibraryVersion.get(), version.textValue()));
      }
      return MAPPER.treeToValue(tree, Description.class);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw damaged(file, e);
    }
  }

  private static UserException damaged(Path file, Exception e) {
    return UserException.data(
        "%s is damaged (%s). Start again with --overwrite."
            .formatted(file, String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
        e);
  }

  private Path document(int number) {
    return new Path(folder, "checkpoint-%06d.json".formatted(number));
  }

  private Path state(int number) {
    return new Path(folder, "state-%06d".formatted(number));
  }

  private Path chains(int number) {
    return new Path(state(number), "chains.bin");
  }

  /** Returns the place of a part of the draws or of the iterations' statistics. */
  Path part(String of, int number) {
    return new Path(new Path(folder, of), "part-%06d.snappy.parquet".formatted(number));
  }

  /** Returns the hidden path for writing a part, which readers of the folder do not see. */
  Path hidden(String of, int number) throws IOException {
    Path parent = new Path(folder, of);
    fs.mkdirs(parent);
    return new Path(parent, "_part-%06d-%s".formatted(number, UUID.randomUUID()));
  }

  /** Moves a complete part to its place. */
  void show(Path hidden, Path part) throws IOException {
    rename(hidden, part);
  }

  private void rename(Path from, Path to) throws IOException {
    fs.delete(to, false);
    if (!fs.rename(from, to)) {
      throw new IOException(from + " cannot be renamed to " + to);
    }
  }

  /** Returns the states of rows of a checkpoint. */
  PlaceFiles rows(int number) {
    return new PlaceFiles(conf, state(number));
  }

  /** Returns the chains' states, serialised. */
  static byte[] packed(Checkpoint checkpoint) {
    return Packed.pack(checkpoint);
  }

  static long crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  /** Writes the states, and then the document that makes them valid. */
  void write(Description description, byte[] states) throws IOException {
    try (OutputStream out = fs.create(chains(description.number), true)) {
      out.write(states);
    }
    Path hidden = new Path(folder, "_" + UUID.randomUUID());
    try (OutputStream out = fs.create(hidden, true)) {
      ObjectNode tree = MAPPER.valueToTree(description);
      out.write(MAPPER.writeValueAsBytes((JsonNode) tree));
    }
    rename(hidden, document(description.number));
  }

  /** Returns the states of a checkpoint. */
  Checkpoint states(Description description) {
    Path file = chains(description.number);
    try (InputStream in = fs.open(file)) {
      byte[] bytes = in.readAllBytes();
      if (crc(bytes) != description.crc) {
        throw new IOException("its content has changed since it was written");
      }
      return Packed.unpack(bytes);
    } catch (IOException | RuntimeException e) {
      throw damaged(file, e);
    }
  }

  /**
   * Removes files that no checkpoint needs: earlier checkpoints except some, parts that none names,
   * and incomplete files.
   *
   * @param last the one that counts
   * @param alsoStates the number of another one whose states are in use; 0 for none
   */
  void tidy(Description last, int alsoStates) throws IOException {
    Set<String> kept = new TreeSet<>(List.of(DRAWS, STEPS, document(last.number).getName()));
    Stream.of(last.number, alsoStates).map(k -> state(k).getName()).forEach(kept::add);
    Set<String> parts =
        last.parts.stream().map(k -> part(DRAWS, k).getName()).collect(Collectors.toSet());
    List<FileStatus> all = new ArrayList<>();
    for (FileStatus status : files(folder)) {
      if (!kept.contains(status.getPath().getName())) {
        all.add(status);
      }
    }
    for (String of : List.of(DRAWS, STEPS)) {
      for (FileStatus status : files(new Path(folder, of))) {
        if (!parts.contains(status.getPath().getName())) {
          all.add(status);
        }
      }
    }
    for (FileStatus status : all) {
      fs.delete(status.getPath(), true);
    }
  }

  /**
   * Removes the files of a failed checkpoint, to free space on a full disk.
   *
   * @param why collects failures to remove files
   */
  void discard(int number, Exception why) {
    try {
      // The document first: what has none does not count.
      List<Path> all = new ArrayList<>(List.of(document(number), state(number)));
      for (Path of : List.of(folder, new Path(folder, DRAWS), new Path(folder, STEPS))) {
        for (FileStatus status : files(of)) {
          if (status.getPath().getName().startsWith("_")) {
            all.add(status.getPath());
          }
        }
      }
      for (String of : List.of(DRAWS, STEPS)) {
        all.add(part(of, number));
      }
      for (Path path : all) {
        fs.delete(path, true);
      }
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  /** Removes all checkpoints, and the folder if nothing else is in it. */
  public void clear() {
    try {
      // The documents first: what has none does not count.
      for (int number : numbers()) {
        fs.delete(document(number), false);
      }
      for (FileStatus status : files(folder)) {
        String name = status.getPath().getName();
        if (name.startsWith("_")
            || name.startsWith("state-")
            || Arrays.asList(DRAWS, STEPS).contains(name)) {
          fs.delete(status.getPath(), true);
        }
      }
      if (fs.exists(folder) && files(folder).isEmpty()) {
        fs.delete(folder, false);
      }
    } catch (IOException e) {
      throw StorageProblem.writing(folder.toString(), e);
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
