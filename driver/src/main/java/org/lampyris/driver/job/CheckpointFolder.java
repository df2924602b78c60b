package org.lampyris.driver.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.CharConversionException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.AtomicMove;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.rows.StoredForm;

/**
 * The folder {@code checkpoint} of an output folder.
 *
 * <p>Checkpoint number k is {@code checkpoint-k.json}. It is written last, after all files that it
 * names: {@code state-k-e/}, with the states of chains and rows, and the parts of {@code draws/}
 * and {@code sampler_stats/} so far. e is another one in each process, so that tasks of a process
 * that was taken over write nothing of its successor's. The document holds the size and a check
 * (CRC-32C) of every file, and of itself. So a checkpoint counts as a whole or not at all, also
 * where a file may appear in pieces.
 *
 * <p>The two with the largest numbers are kept. The older one is used if the newer is damaged. What
 * none names is left over from a run that was ended while it wrote, and is removed by the next; a
 * file with a name that this class never writes is left alone.
 */
public final class CheckpointFolder {
  static final String DRAWS = "draws";
  static final String STEPS = "sampler_stats";

  /** The format of documents and states that this version writes, and the only one it reads. */
  static final int FORMAT = StoredForm.FORMAT;

  private static final String NAME = "checkpoint";
  private static final String CHECK = "crc";
  private static final Pattern DOCUMENT = Pattern.compile("checkpoint-(\\d{6,})\\.json");
  private static final String UUIDS = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  /** Names that this class and {@link PlaceFiles} give, in the folder and the folders in it. */
  private static final Pattern OWN =
      Pattern.compile(
          DOCUMENT.pattern()
              + "|chains\\.bin|rows-\\d{5,}\\.bin|part-\\d{6,}\\.snappy\\.parquet|_(part-\\d{6,}-)?"
              + UUIDS);

  /** Checkpoints of version 0.1 have the number alone. */
  private static final Pattern STATE = Pattern.compile("(state-\\d{6,})(-[0-9a-f]{8})?");

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Configuration conf;
  private final Path folder;
  private final FileSystem fs;
  private final String epoch = UUID.randomUUID().toString().substring(0, 8);

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
   * @param format {@link #FORMAT}
   * @param number its number, from 1
   * @param algorithm the algorithm's name, chosen
   * @param reached how far the chains are
   * @param parts the numbers of the parts of the traces, ascending
   * @param partitions over how many partitions the table was spread
   * @param places how many files of rows' states there are
   * @param files what is to be found in each other file, by its path in the folder
   */
  record Description(
      int format,
      int number,
      RunIdentity identity,
      String algorithm,
      Reached reached,
      List<Integer> parts,
      int partitions,
      int places,
      Map<String, FileCheck> files) {
    Description {
      parts = List.copyOf(parts);
      files = new TreeMap<>(files);
    }

    /** Returns the name of the folder with the states. */
    String state() {
      return files.keySet().stream()
          .map(file -> file.split("/", 2)[0])
          .filter(name -> STATE.matcher(name).matches())
          .findFirst()
          .orElseThrow();
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

  /** Looks for damage in the states of rows. */
  interface RowsCheck {
    /** Returns what is wrong with one of the files of these places; empty if nothing is. */
    Optional<String> damage(PlaceFiles rows, int places) throws IOException;
  }

  /**
   * Returns the description of the last checkpoint that is whole, if there are any.
   *
   * @param rows is asked about the states of rows
   * @param warn is told if a newer one is damaged
   * @throws UserException (usage) if one is of another format; (data) if all are damaged
   */
  Optional<Description> last(RowsCheck rows, Consumer<String> warn) {
    List<String> damaged = new ArrayList<>();
    try {
      for (int number : numbers()) {
        try {
          Description found = read(number);
          check(found, rows);
          if (!damaged.isEmpty()) {
            warn.accept(
                "%s. The run resumes from %s instead, after %,d iterations of each chain; later iterations are repeated, with the same draws"
                    .formatted(
                        String.join("; ", damaged), document(number), found.reached.iteration()));
          }
          return Optional.of(found);
        } catch (Damaged e) {
          damaged.add("%s is damaged (%s)".formatted(document(number), e.getMessage()));
        }
      }
    } catch (IOException e) {
      throw StorageProblem.reading(folder.toString(), e);
    }
    if (damaged.isEmpty()) {
      return Optional.empty();
    }
    throw UserException.data(
        "no checkpoint can be resumed: %s. Restore the folder from a copy, or start again with --overwrite."
            .formatted(String.join("; ", damaged)));
  }

  /** Refuses a checkpoint of which a file is missing, or not as it was written. */
  private void check(Description description, RowsCheck rows) throws Damaged, IOException {
    for (Map.Entry<String, FileCheck> file : description.files.entrySet()) {
      Path path = new Path(folder, file.getKey());
      Optional<String> damage;
      try {
        damage = file.getValue().damage(fs, path);
      } catch (IOException e) {
        damage = Optional.of(path.getName() + " cannot be read: " + firstLine(e));
      }
      if (damage.isPresent()) {
        throw new Damaged(damage.get());
      }
    }
    if (description.places > 0) {
      Optional<String> damage = rows.damage(rows(description), description.places);
      if (damage.isPresent()) {
        throw new Damaged(damage.get());
      }
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** A checkpoint that is not as it was written. */
  @SuppressWarnings("serial") // never sent
  private static final class Damaged extends Exception {
    Damaged(String why) {
      super(why);
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

  /** Returns the numbers of the checkpoints, the largest first. */
  private List<Integer> numbers() throws IOException {
    return files(folder).stream()
        .map(status -> DOCUMENT.matcher(status.getPath().getName()))
        .filter(Matcher::matches)
        .map(matcher -> Integer.valueOf(matcher.group(1)))
        .sorted(Comparator.reverseOrder())
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
   * Reads a description. Its format comes first: another has other fields, too.
   *
   * @throws UserException (usage) if it is of another format
   * @throws Damaged if it is not as it was written
   */
  private Description read(int number) throws Damaged, IOException {
    Path file = document(number);
    try (InputStream in = fs.open(file)) {
      if (!(MAPPER.readTree(in) instanceof ObjectNode tree)) {
        throw new Damaged("it holds no JSON object");
      }
      JsonNode crc = tree.remove(CHECK);
      if (tree.path("format").asInt() != FORMAT && tree.at("/identity/lampyris").isTextual()) {
        String version = tree.at("/identity/lampyris").textValue();
        throw UserException.usage(
            "%s was written by Lampyris %s in another format. This is Lampyris %s, which reads checkpoints of format %d only. Resume with Lampyris %s, or start again with --overwrite."
                .formatted(file, version, LibraryVersion.get(), FORMAT, version));
      }
      if (crc == null || crc.asLong() != FileCheck.of(MAPPER.writeValueAsBytes(tree)).crc()) {
        throw new Damaged("its content has changed since it was written");
      }
      return MAPPER.treeToValue(tree, Description.class);
    } catch (JsonProcessingException | CharConversionException | ChecksumException e) {
      throw new Damaged(firstLine(e));
    }
  }

  private static UserException damaged(Path file, Exception e) {
    return UserException.data(
        "%s is damaged (%s). Start again with --overwrite.".formatted(file, firstLine(e)), e);
  }

  private Path document(int number) {
    return new Path(folder, "checkpoint-%06d.json".formatted(number));
  }

  private Path state(String name) {
    return new Path(folder, name);
  }

  /** Returns what names of the folders of a checkpoint's states begin with. */
  static String stateName(int number) {
    return "state-%06d".formatted(number);
  }

  private String ownStateName(int number) {
    return stateName(number) + "-" + epoch;
  }

  private static Path chains(Path state) {
    return new Path(state, "chains.bin");
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

  /**
   * Moves a complete part to its place.
   *
   * @param files what is to be found in it is added here. Modified.
   */
  void show(Path hidden, Path part, Map<String, FileCheck> files) throws IOException {
    AtomicMove.force(fs, hidden);
    files.put(part.getParent().getName() + "/" + part.getName(), FileCheck.of(fs, hidden));
    if (fs.exists(part) || !fs.rename(hidden, part)) { // what is there is another process's
      throw new IOException(hidden + " cannot be renamed to " + part);
    }
    AtomicMove.force(fs, part.getParent());
  }

  /** Returns the states of rows of a checkpoint. */
  PlaceFiles rows(Description description) {
    return new PlaceFiles(conf, state(description.state()));
  }

  /** Returns where to write the states of rows of a checkpoint. */
  PlaceFiles rows(int number) {
    return new PlaceFiles(conf, state(ownStateName(number)));
  }

  /** Returns the chains' states as bytes. */
  static byte[] packed(Checkpoint checkpoint) {
    return StoredForm.bytes(checkpoint);
  }

  /**
   * Writes the states, and then the document that makes them valid. One that is there already is
   * another process's, and is not replaced.
   *
   * @param description with what is to be found in the other files
   */
  void write(Description description, byte[] states) throws IOException {
    Path chains = chains(state(ownStateName(description.number)));
    AtomicMove.write(conf, chains, states);
    description.files.put(
        chains.getParent().getName() + "/" + chains.getName(), FileCheck.of(states));
    // Read again: numbers are checked as a reader will see them.
    ObjectNode tree = (ObjectNode) MAPPER.readTree(MAPPER.writeValueAsBytes(description));
    tree.put(CHECK, FileCheck.of(MAPPER.writeValueAsBytes(tree)).crc());
    AtomicMove.writeNew(conf, document(description.number), MAPPER.writeValueAsBytes(tree));
  }

  /** Returns the states of a checkpoint. */
  Checkpoint states(Description description) {
    Path file = chains(state(description.state()));
    try (InputStream in = fs.open(file)) {
      return StoredForm.read(Checkpoint.class, in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      throw damaged(file, e);
    }
  }

  /**
   * Removes files that no checkpoint needs: checkpoints before the last two except some, parts that
   * none names, and incomplete files.
   *
   * @param last the one that counts
   * @param alsoStates the number of another one whose states are in use; 0 for none
   */
  void tidy(Description last, int alsoStates) throws IOException {
    List<Integer> two =
        numbers().stream().filter(number -> number <= last.number).limit(2).toList();
    Set<String> kept = new TreeSet<>();
    two.forEach(number -> kept.add(document(number).getName()));
    kept.add(last.state());
    Stream.concat(two.stream(), Stream.of(alsoStates))
        .filter(number -> number != last.number)
        .forEach(number -> kept.add(stateName(number)));
    last.parts.forEach(number -> kept.add(part(DRAWS, number).getName()));
    // The documents first: what has none does not count.
    for (int number : numbers()) {
      if (!two.contains(number)) {
        fs.delete(document(number), false);
      }
    }
    removeOwn(folder, kept);
    for (String of : List.of(DRAWS, STEPS)) {
      removeOwn(new Path(folder, of), kept);
    }
  }

  /**
   * Removes the files in a folder that this class has written, and its folders of states with the
   * files of this class in them, except some by name.
   */
  private void removeOwn(Path from, Set<String> kept) throws IOException {
    for (FileStatus status : files(from)) {
      Path path = status.getPath();
      Matcher state = STATE.matcher(path.getName());
      if (kept.contains(path.getName()) || (state.matches() && kept.contains(state.group(1)))) {
        continue;
      }
      if (status.isDirectory() && state.matches()) {
        removeOwnFolder(path);
      } else if (status.isFile() && OWN.matcher(path.getName()).matches()) {
        fs.delete(path, false);
      }
    }
  }

  /** Removes the files of this class from a folder, and the folder if nothing else is in it. */
  private void removeOwnFolder(Path path) throws IOException {
    removeOwn(path, Set.of());
    if (fs.exists(path) && files(path).isEmpty()) {
      // Recursive, for hidden checksums of files that are gone.
      fs.delete(path, true);
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
      fs.delete(document(number), false);
      removeOwnFolder(state(ownStateName(number)));
      for (Path of : List.of(folder, new Path(folder, DRAWS), new Path(folder, STEPS))) {
        for (FileStatus status : files(of)) {
          String name = status.getPath().getName();
          if (name.startsWith("_") && OWN.matcher(name).matches()) {
            fs.delete(status.getPath(), false);
          }
        }
      }
      for (String of : List.of(DRAWS, STEPS)) {
        fs.delete(part(of, number), false);
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
      for (String of : List.of(DRAWS, STEPS)) {
        removeOwnFolder(new Path(folder, of));
      }
      removeOwnFolder(folder);
    } catch (IOException e) {
      throw StorageProblem.writing(folder.toString(), e);
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
