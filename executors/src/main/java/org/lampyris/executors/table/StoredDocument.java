package org.lampyris.executors.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/**
 * JSON file in a folder, with its format version in the key {@code version}.
 *
 * @param json reads and writes it
 * @param version the version that this library reads and writes
 * @param oldest the oldest version that it reads
 * @param otherVersion what to say of another one: the path, that version, the library's and the one
 *     that it reads are filled in
 * @param absent what to say of a folder without the file, which is filled in
 */
public record StoredDocument(
    ObjectMapper json,
    String file,
    int version,
    int oldest,
    String otherVersion,
    String absent,
    String remedy) {
  private String read() {
    return oldest == version ? String.valueOf(version) : oldest + " to " + version;
  }

  /**
   * Reads the file.
   *
   * @throws UserException (data) if there is none, or one of another version or damaged
   */
  public <T> T read(String folder, Configuration conf, Class<T> type) {
    Path path = new Path(folder, file);
    try (InputStream in = path.getFileSystem(conf).open(path)) {
      JsonNode tree = json.readTree(in);
      JsonNode found = tree.path("version");
      if (found.asInt(-1) < oldest || found.asInt(-1) > version) {
        String text = found.asText("(none)");
        throw UserException.data(
            otherVersion.formatted(path, text, LibraryVersion.get(), read()) + "; " + remedy);
      }
      return json.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw UserException.data(
          "%s is damaged (%s); %s".formatted(path, e.getOriginalMessage(), remedy), e);
    } catch (FileNotFoundException e) {
      throw UserException.data(absent.formatted(folder), e);
    } catch (IOException e) {
      throw StorageProblem.reading(path.toString(), e);
    }
  }

  /**
   * Writes the file, which must not exist.
   *
   * @throws IOException if it cannot be written
   */
  public void write(String folder, Configuration conf, Object content) throws IOException {
    Path path = new Path(folder, file);
    try (OutputStream out = path.getFileSystem(conf).create(path, false)) {
      out.write(json.writeValueAsBytes(content));
    }
  }
}
