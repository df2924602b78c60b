package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The option of commands that may go on from a checkpoint. */
final class ResumeOption {
  @Option(
      names = "--resume",
      description =
          "Resume from the checkpoint in the output folder, with the same draws as without the"
              + " interruption. A larger sampler.draws adds draws. Without a checkpoint, start from"
              + " the beginning.")
  private boolean resume;

  boolean resumes() {
    return resume;
  }
}
