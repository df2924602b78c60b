package org.lampyris.driver.cli;

import picocli.CommandLine.Option;

/** The option of commands that may go on from a checkpoint. */
final class ResumeOption {
  @Option(
      names = "--resume",
      description =
          "Go on from the checkpoint in the output folder, to the same draws as without the"
              + " interruption; with a larger sampler.draws, to more. Without a checkpoint, begin.")
  private boolean resume;

  boolean resumes() {
    return resume;
  }
}
