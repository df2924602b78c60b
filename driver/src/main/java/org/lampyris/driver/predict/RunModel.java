package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.executors.table.TableSchema;

/** The model of a run that has ended, on its prepared table, as its manifest tells. */
public record RunModel(String folder, JobConfig job, TableSchema schema, ModelOfTable model) {
  /**
   * Opens the model of an output folder.
   *
   * @throws UserException if the table is not there any more, or is another one, or the
   *     configuration is of another version
   */
  public static RunModel of(Configuration conf, String folder, JsonNode manifest)
      throws IOException {
    JobConfig job =
        new ConfigReader()
            .reread(manifest.path("configuration").toString(), folder + "/manifest.json");
    if (job.prepared() == null) {
      throw UserException.data(folder + " does not tell where its prepared table is.");
    }
    String prepared = job.preparedFolder();
    Path path = new Path(prepared, TableSchema.FILE);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data("the prepared table is not in " + prepared + " any more.");
    }
    TableSchema schema = TableSchema.read(prepared, conf);
    if (!schema.fingerprint().equals(manifest.path("data").path("fingerprint").asText())) {
      throw UserException.data(
          "the table in " + prepared + " is not the one that " + folder + " was sampled of.");
    }
    return new RunModel(folder, job, schema, job.modelOf(schema));
  }

  /** Returns the effects of groups that the run has written. */
  public KeptEffects effects() {
    return new KeptEffects(folder, job.preparedFolder(), model);
  }
}
