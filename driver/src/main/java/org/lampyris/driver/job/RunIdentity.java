package org.lampyris.driver.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;

/**
 * Identity of a run: everything that determines its draws. Two runs with equal identities make the
 * same draws.
 *
 * @param lampyris the version of the program
 * @param table the fingerprint of the prepared table
 * @param bounds hash of the normal approximation in the bounds artefact
 * @param configuration the sections {@code model} and {@code sampler}, but for what a resumed run
 *     may change
 */
public record RunIdentity(String lampyris, String table, String bounds, JsonNode configuration) {
  /** Keys that may differ: the numbers of draws, and what is made beside them. */
  private static final List<String> FREE =
      List.of("draws", "evidence", "checkpoint_minutes", "checkpoint_interval");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Returns the identity of a run. */
  public static RunIdentity of(
      String lampyris, String table, LaplaceApproximation laplace, JobConfig job) {
    Map<String, ?> all = EffectiveConfig.asMap(job);
    ObjectNode configuration = MAPPER.createObjectNode();
    configuration.set("model", MAPPER.valueToTree(all.get("model")));
    ObjectNode sampler = MAPPER.valueToTree(all.get("sampler"));
    sampler.remove(FREE);
    if (sampler.path("perfect") instanceof ObjectNode own) {
      own.remove("max_proposals");
    }
    configuration.set("sampler", sampler);
    return new RunIdentity(lampyris, table, hash(laplace), asRead(configuration));
  }

  /** Returns a configuration after writing and reading it. */
  private static JsonNode asRead(JsonNode written) {
    try {
      return MAPPER.readTree(MAPPER.writeValueAsBytes(written));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(LaplaceApproximation laplace) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<double[]> all = new ArrayList<>(List.of(laplace.mode()));
      all.addAll(
          laplace.hasCovariance() ? List.of(laplace.covariance()) : laplace.factor().numbers());
      for (double[] numbers : all) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
        DoubleBuffer unused = bytes.asDoubleBuffer().put(numbers);
        digest.update(bytes.array(), 0, unused.position() * Double.BYTES);
      }
      return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns the differences between this run and another of the same version, a few words each. */
  List<String> differences(RunIdentity other) {
    List<String> found = new ArrayList<>();
    if (!table.equals(other.table)) {
      found.add(
          "the prepared table had the fingerprint %s, and now has %s"
              .formatted(table, other.table));
    }
    if (!bounds.equals(other.bounds)) {
      found.add("the bounds were computed again and gave another normal approximation");
    }
    compare("", configuration, other.configuration, found);
    return found;
  }

  private static void compare(String path, JsonNode was, JsonNode is, List<String> found) {
    if (!was.isObject() || !is.isObject()) {
      if (!was.equals(is)) {
        found.add("%s was %s, and is now %s".formatted(path, shown(was), shown(is)));
      }
      return;
    }
    Set<String> keys = new TreeSet<>();
    was.fieldNames().forEachRemaining(keys::add);
    is.fieldNames().forEachRemaining(keys::add);
    for (String key : keys) {
      compare(path.isEmpty() ? key : path + "." + key, was.path(key), is.path(key), found);
    }
  }

  private static String shown(JsonNode value) {
    return value.isMissingNode() || value.isNull() ? "left out" : value.toString();
  }
}
