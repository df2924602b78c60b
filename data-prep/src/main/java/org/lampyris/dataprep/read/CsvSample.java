package org.lampyris.dataprep.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CsvTable.Reading;

/**
 * Sample of the first records of CSV files, with the columns from folders' names: what the cells of
 * each column look like, and so how the column is read.
 */
final class CsvSample {
  /** Smallest number of records sampled from each file. */
  private static final int OF_A_FILE = 100;

  final List<String> header;
  final Map<String, Set<String>> folders;
  private final List<String> names;
  private final List<Seen> seen = new ArrayList<>();

  private CsvSample(List<String> header, Map<String, Set<String>> folders) {
    this.header = header;
    this.folders = folders;
    names = Stream.concat(header.stream(), folders.keySet().stream()).toList();
    names.forEach(name -> seen.add(new Seen()));
  }

  /** Returns the names of the columns, those from folders' names last. */
  List<String> names() {
    return names;
  }

  /**
   * Takes a sample.
   *
   * @param days whether to look for dates
   * @param wanted how many records of all files together
   * @throws UserException (data) if the files are empty, or their headers differ
   */
  static CsvSample of(InputFiles files, Source.Csv csv, boolean days, int wanted)
      throws IOException {
    CsvSample sample = null;
    Path first = null;
    int each = Math.max(Math.min(wanted, OF_A_FILE), wanted / files.files().size());
    for (Path file : files.files()) {
      try (CsvRecords records = new CsvRecords(files.open(file), csv.separator())) {
        List<String> own = records.next();
        if (own == null) {
          continue;
        }
        if (sample == null) {
          Map<String, Set<String>> folders = new LinkedHashMap<>(files.partitions());
          // Some writers leave the column in the files as well.
          own.forEach(folders::remove);
          sample = new CsvSample(own, folders);
          first = file;
        } else if (first != null && !own.equals(sample.header)) {
          throw UserException.data(
              ("the header of %s differs from the header of %s. Give all files the same columns"
                      + " in the same order.")
                  .formatted(files.display(file), files.display(first)));
        }
        for (int n = 0; n < each; n++) {
          List<String> record = records.next();
          if (record == null) {
            break;
          }
          for (int j = 0; j < Math.min(own.size(), record.size()); j++) {
            sample.seen.get(j).add(record.get(j), csv, days);
          }
        }
      }
    }
    if (sample == null) {
      throw UserException.data(
          files.input() + " is empty: it has neither a header nor rows; check data.input");
    }
    int j = sample.header.size();
    for (Set<String> values : sample.folders.values()) {
      Seen of = sample.seen.get(j++);
      values.forEach(value -> of.add(value, csv, days));
    }
    return sample;
  }

  /** Returns whether all cells of a column are numbers, to which their text adds nothing. */
  boolean arePlain(int column) {
    return seen.get(column).arePlain();
  }

  /** Returns whether a column has numbers with leading zeros. */
  boolean arePadded(int column) {
    return seen.get(column).padded > 0;
  }

  /** Returns a cell of a column without whole numbers; null where some cell is one, or missing. */
  @Nullable String odd(int column) {
    Seen of = seen.get(column);
    return of.whole == 0 ? of.odd : null;
  }

  /** Returns how a column is read, by its number. */
  Reading reading(int column, Source.Csv csv, CsvTable.Purpose purpose) {
    String name = names.get(column);
    Seen of = seen.get(column);
    Source.Csv.Type type = csv.types().get(name);
    if (type != null) {
      return type == Source.Csv.Type.TEXT ? Reading.TEXT : Reading.NUMBER;
    }
    boolean key = purpose.uses().keys().contains(name);
    Reading other = !of.areNumbers() && of.areDates() ? Reading.DATE : Reading.TEXT;
    boolean allWhole = of.whole == of.numbers;
    if (!purpose.shaped()) {
      if (purpose.text().contains(name)) {
        return Reading.TEXT;
      }
      if (purpose.uses().comparesOnly(name)) {
        return of.areNumbers() && !purpose.known() ? Reading.KEY : other;
      }
    } else if (key && of.areNumbers() && of.padded > 0) {
      return Reading.TEXT;
    }
    if (!of.areNumbers()) {
      return other;
    }
    if (!allWhole || !(key || purpose.shaped())) {
      return Reading.NUMBER;
    }
    if (of.big > 0) {
      return of.longest > CsvTable.MOST_DIGITS ? Reading.TEXT : Reading.WHOLE;
    }
    return key && purpose.shaped() ? Reading.CODE : Reading.EXACT;
  }

  /** Counts of a column's cells by appearance. */
  private static final class Seen {
    private int numbers;
    private int dates;
    private int others;

    /** Numbers that are whole, that have leading zeros, and that have more digits than a double. */
    private int whole;

    private int padded;
    private int big;
    private int longest;
    private @Nullable String odd;

    void add(String cell, Source.Csv csv, boolean days) {
      String text = csv.cell(cell);
      if (CellText.isMissing(text)) {
        return;
      }
      odd = odd == null ? text : odd;
      String plain = csv.plain(text);
      if (plain == null || CellText.number(plain) == null) {
        others++;
        dates += days && CellText.days(text) != null ? 1 : 0;
        return;
      }
      numbers++;
      String number = plain.strip();
      whole += CellText.isWhole(number) ? 1 : 0;
      padded += CellText.isPadded(number) ? 1 : 0;
      big += CellText.losesDigits(number) ? 1 : 0;
      longest = Math.max(longest, number.length());
    }

    boolean areNumbers() {
      return numbers > others || others == 0;
    }

    boolean areDates() {
      return dates > (numbers + others) / 2;
    }

    /** Returns whether all are numbers and their text adds nothing to them. */
    boolean arePlain() {
      return numbers > 0 && others + padded + big == 0;
    }
  }
}
