package org.lampyris.driver.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.KeyTree;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.dataprep.blocks.DataSection;
import org.lampyris.dataprep.generate.GenerateSection;
import org.lampyris.dataprep.precompute.PrecomputeConfig;
import org.lampyris.dataprep.read.Query;
import org.lampyris.samplers.algorithm.SamplerSettings;

/** Reads a configuration: the file, the overrides over it, the defaults under it. */
public final class ConfigReader {
  /** A path with the name of a file system; a drive's is one letter. */
  private static final Pattern ELSEWHERE = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]+:/");

  /**
   * Reads a configuration and checks every key.
   *
   * @param overrides what the command line sets; later ones win
   * @param command the command that asks, for messages
   * @param needs keys that the command cannot do without
   * @throws UserException of kind usage, naming file, line, column, key and remedy
   */
  public JobConfig read(
      @Nullable Path file, List<SetOption> overrides, String command, Collection<NeededKey> needs) {
    return readFrom(file == null ? null : file.toString(), overrides, command, needs);
  }

  /** Reads a configuration from a local path or a Hadoop path; see {@link #read}. */
  public JobConfig readFrom(
      @Nullable String file,
      List<SetOption> overrides,
      String command,
      Collection<NeededKey> needs) {
    if (file == null) {
      return readText("", "the command line", overrides, command, needs);
    }
    String text = ELSEWHERE.matcher(file).find() ? elsewhere(file) : content(path(file));
    return readText(text, file, overrides, command, needs);
  }

  /**
   * Reads a configuration from text; see {@link #read}.
   *
   * @param source the origin of the text, for messages
   */
  public JobConfig readText(
      String text,
      String source,
      List<SetOption> overrides,
      String command,
      Collection<NeededKey> needs) {
    ConfigNode.Mapping tree = YamlTree.file(text, source);
    overrides.forEach(override -> override.applyTo(tree));
    JobConfig config = interpret(tree);
    if (needs.contains(NeededKey.BOUNDS) && needs.contains(NeededKey.OUTPUT)) {
      config = config.suiting(needs.contains(NeededKey.INPUT));
      config.requireAlgorithm();
    }
    for (NeededKey need : needs) {
      if (!need.isMetBy(config)) {
        throw UserException.usage(
            "%s: the key %s is missing, which \"%s\" needs. Set it, for instance %s."
                .formatted(source, need.key, command, need.example));
      }
    }
    return config;
  }

  /**
   * Reads a configuration that was written with all defaults, as in a manifest.
   *
   * @param source the origin of the text, for messages
   * @throws UserException (usage) if another version wrote it
   */
  public JobConfig reread(String text, String source) {
    return interpret(YamlTree.file(text, source));
  }

  /** Returns the full names of all keys of a job file, such as "sampler.draws". */
  public static List<String> keys() {
    return KnownKeys.find().names();
  }

  private JobConfig interpret(ConfigNode.Mapping tree) {
    return interpret(tree, new KeyTree());
  }

  /**
   * Reads a tree.
   *
   * @param asked where to note which keys are asked for. Modified.
   */
  JobConfig interpret(ConfigNode.Mapping tree, KeyTree asked) {
    FormulaKeys.apply(tree);
    Section root =
        Section.root(tree, asked, ConfigText.keys(JobConfig.class).toArray(String[]::new));
    ModelConfig model = ModelConfig.read(root);
    PrecomputeConfig precompute = PrecomputeConfig.read(root, model.anchor());
    String output = root.text("output");
    String prepared = below(output, "prepared", root.text("prepared"));
    String bounds = below(output, "bounds", root.text("bounds"));
    new Folders(output, JobConfig.folderOf(output, prepared), bounds).require();
    DataSection data = DataSection.read(root);
    if (String.valueOf(data.source().input()).matches("(?i)https?:.*")) {
      throw UserException.usage(
          "data.input: %s is on a web server, where Hadoop cannot list files. Download the table first."
              .formatted(data.source().input()));
    }
    if (data.source().query() != null) {
      Query.require(data.source().query());
    }
    JobConfig job =
        new JobConfig(
            data,
            model,
            precompute,
            SamplerSettings.read(
                root, new OwnSection.Defaults(precompute.anchor(), !model.random().isEmpty())),
            GenerateSection.read(root, model.family()),
            output,
            prepared,
            bounds);
    job.requireRoles();
    return job;
  }

  static @Nullable String below(@Nullable String output, String name, @Nullable String given) {
    if (given != null || output == null) {
      return given;
    }
    return output.endsWith("/") ? output + name : output + "/" + name;
  }

  private static Path path(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw UserException.usage(
          "\"%s\" is not a path (%s). Check the name of the job file."
              .formatted(file, e.getReason()),
          e);
    }
  }

  /** Returns the text of a file that Hadoop reads, by the properties of spark-submit. */
  private static String elsewhere(String file) {
    try {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
      Configuration conf = SparkHadoopUtil.get().newConfiguration(new SparkConf());
      try (InputStream in = path.getFileSystem(conf).open(path)) {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(in.readAllBytes()))
            .toString();
      }
    } catch (CharacterCodingException e) {
      throw UserException.usage(
          "The configuration file %s is not UTF-8 text. Save it as UTF-8.".formatted(file), e);
    } catch (IOException | IllegalArgumentException e) {
      throw UserException.usage(
          "The configuration file %s cannot be read: %s. Check its path."
              .formatted(file, String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
          e);
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      String problem =
          e instanceof NoSuchFileException
              ? "does not exist; check its path"
              : e instanceof AccessDeniedException
                  ? "may not be read; check its permissions"
                  : e instanceof MalformedInputException
                      ? "is not UTF-8 text; save it as UTF-8"
                      : "cannot be read: " + e.getMessage();
      throw UserException.usage("The configuration file %s %s.".formatted(file, problem), e);
    }
  }
}
