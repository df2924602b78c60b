package org.lampyris.experiments.study;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.lampyris.bounds.config.UserException;

/**
 * A small CSV file of numbers, with a header.
 *
 * @param header the names of the columns
 * @param rows the numbers
 */
public record NumberFile(List<String> header, double[][] rows) {
  /** Reads one. */
  public static NumberFile read(String file) throws IOException {
    try (InputStream raw = Files.newInputStream(Path.of(file));
        InputStream in = file.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> header = List.of(String.valueOf(reader.readLine()).split(",", -1));
      return new NumberFile(
          header, reader.lines().map(NumberFile::numbers).toArray(double[][]::new));
    } catch (NoSuchFileException e) {
      throw UserException.data("there is no file " + file + ". Set --data to its folder.", e);
    } catch (NumberFormatException e) {
      throw UserException.data(file + ": " + e.getMessage() + " is not a number.", e);
    }
  }

  private static double[] numbers(String line) {
    return Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }
}
