package org.lampyris.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What is done to processes from outside. */
final class Signals {
  private Signals() {}

  /** Sends a signal, such as KILL or TERM, to a process. */
  static void send(String signal, ProcessHandle process) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  /** Returns a process's living descendants whose command line contains a text. */
  static List<ProcessHandle> below(Process process, String text) {
    try (Stream<ProcessHandle> all = process.descendants()) {
      return all.filter(ProcessHandle::isAlive)
          .filter(one -> commandLine(one).contains(text))
          .toList();
    }
  }

  private static String commandLine(ProcessHandle process) {
    try {
      // ProcessHandle.Info leaves out what exceeds a page.
      return Files.readString(
          Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it has ended
    }
  }
}
