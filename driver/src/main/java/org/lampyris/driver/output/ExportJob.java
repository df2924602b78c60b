package org.lampyris.driver.output;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/** Writes the draws of an output folder in the formats of other programs, into that folder. */
public final class ExportJob {
  /** The forms, in the order in which they are written. */
  public enum Form {
    /** A file for each chain in {@code cmdstan/}. */
    CMDSTAN("cmdstan"),
    /** {@code inference.json}. */
    ARVIZ("inference.json");

    private final String item;

    Form(String item) {
      this.item = item;
    }
  }

  private ExportJob() {}

  /**
   * Writes.
   *
   * @param folder the output folder of a run that has ended
   * @param groups what ArviZ's form has beside the draws and their statistics
   * @return what was written, in sentences
   * @throws UserException if the folder has no draws, or has what is to be written already
   */
  public static List<String> write(
      Configuration conf,
      String folder,
      Set<Form> forms,
      List<InferenceGroup> groups,
      boolean overwrite)
      throws IOException {
    RunDraws run = RunDraws.open(RunOutput.open(conf, folder));
    List<String> written = new ArrayList<>();
    List<String> items = forms.stream().sorted().map(form -> form.item).toList();
    try (OutputFolder output = OutputFolder.reserve(conf, folder, items, overwrite)) {
      if (forms.contains(Form.CMDSTAN)) {
        Path to = output.temporary(Form.CMDSTAN.item);
        for (int chain : run.chains()) {
          Path file = new Path(to, "chain-" + chain + ".csv");
          try (Writer out =
              new BufferedWriter(
                  new OutputStreamWriter(
                      output.fs().create(file, false), StandardCharsets.UTF_8))) {
            CmdStanCsv.write(run, chain, out);
          }
        }
        written.add("CmdStan's form of the chains is in " + folder + "/" + Form.CMDSTAN.item + ".");
      }
      if (forms.contains(Form.ARVIZ)) {
        try (OutputStream out =
            new BufferedOutputStream(
                output.fs().create(output.temporary(Form.ARVIZ.item), false))) {
          InferenceJson.write(run, groups, out);
        }
        written.add("ArviZ's InferenceData is in " + folder + "/" + Form.ARVIZ.item + ".");
      }
      output.publish();
    }
    return written;
  }
}
