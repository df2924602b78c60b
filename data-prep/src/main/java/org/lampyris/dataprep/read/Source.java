package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Section;

/**
 * Source of rows.
 *
 * @param input the path of the table, on any file system that Hadoop knows; null where the command
 *     needs none
 * @param format one of {@link #FORMATS}; null to infer it from the name
 * @param encoding the character set of a CSV; null for UTF-8
 * @param query a Spark SQL SELECT over the view {@code input} that shapes the table; null for the
 *     table as it is
 * @param csv how a CSV is written
 */
public record Source(
    @Nullable String input,
    @Nullable String format,
    @Nullable String encoding,
    @Nullable String query,
    Csv csv) {
  /** Creates the source of a table that is not CSV, or standard CSV. */
  public Source(
      @Nullable String input,
      @Nullable String format,
      @Nullable String encoding,
      @Nullable String query) {
    this(input, format, encoding, query, Csv.DEFAULT);
  }

  /**
   * Dialect of a CSV.
   *
   * @param separator what stands between cells: one character
   * @param decimal what stands before the decimals of a number: a point or a comma
   * @param thousands what stands between thousands; null for nothing
   * @param na texts that mean no value, in addition to {@link CellText#MISSING_TOKENS}
   * @param types what columns hold whatever their cells look like, by their names
   */
  public record Csv(
      String separator,
      String decimal,
      @Nullable String thousands,
      List<String> na,
      Map<String, Type> types)
      implements Serializable {
    /** Type of a column. */
    public enum Type {
      /** Numbers. */
      NUMBER,
      /** Text, each cell unchanged: 1.10 is not 1.1, and 007 is not 7. */
      TEXT
    }

    /** Commas between cells, a decimal point, and types inferred from the cells. */
    public static final Csv DEFAULT = new Csv(",", ".", null, List.of(), Map.of());

    private static final List<String> DECIMALS = List.of(DEFAULT.decimal, ",");
    private static final List<String> THOUSANDS = List.of(",", ".", "'", " ", "_");
    private static final List<String> TYPES = Stream.of(Type.values()).map(ConfigText::of).toList();

    /** Copies the list and the map. */
    public Csv {
      na = List.copyOf(na);
      types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }

    private static Csv read(Section data) {
      Section csv = data.section("csv", ConfigText.keys(Csv.class).toArray(String[]::new));
      String separator = csv.text("separator", DEFAULT.separator).replace("\\t", "\t");
      if (separator.length() != 1 || "\"\n\r".contains(separator)) {
        throw csv.wrong("separator", "one character, such as \";\" or \"\\t\"");
      }
      String decimal = csv.choice("decimal", DECIMALS);
      String thousands = csv.choice("thousands", THOUSANDS);
      Csv read =
          new Csv(
              separator,
              decimal == null ? DEFAULT.decimal : decimal,
              thousands,
              csv.texts("na"),
              csv.map("types", Csv::type));
      if (read.decimal.equals(thousands)) {
        throw csv.wrong("thousands", "another character than data.csv.decimal, " + read.decimal);
      }
      return read;
    }

    private static Type type(Section types, String column) {
      String type = types.choice(column, TYPES);
      if (type == null) {
        throw types.wrong(column, String.join(" or ", TYPES));
      }
      return Type.values()[TYPES.indexOf(type)];
    }

    /** Returns the value of a cell; null for texts that mean no value. */
    String cell(String cell) {
      return !na.isEmpty() && na.contains(cell.strip()) ? "" : cell;
    }

    /**
     * Returns the text of a number with a decimal point and no thousands separators; null if it
     * does not match the dialect. Other text is itself.
     */
    @Nullable String plain(String cell) {
      if (!writesNumbersOtherwise()) {
        return cell;
      }
      String text = cell.strip();
      if (thousands != null && text.contains(thousands)) {
        String between = Pattern.quote(thousands);
        String grouped =
            "[-+]?\\d{1,3}(" + between + "\\d{3})+(" + Pattern.quote(decimal) + "\\d*)?";
        if (!text.matches(grouped)) {
          return null;
        }
        text = text.replace(thousands, "");
      }
      if (decimal.equals(DEFAULT.decimal)) {
        return text;
      }
      return text.indexOf('.') >= 0 ? null : text.replace(decimal, ".");
    }

    /** Returns whether numbers are written other than with a decimal point alone. */
    boolean writesNumbersOtherwise() {
      return thousands != null || !decimal.equals(DEFAULT.decimal);
    }

    /** Returns the number in a cell; null if it is not one. */
    @Nullable Double number(String cell) {
      String text = plain(cell);
      return text == null ? null : CellText.number(text);
    }
  }

  /** The formats that can be read and generated. */
  public static final List<String> FORMATS = List.of("parquet", "csv", "libsvm");

  /** Reads the keys of the section {@code data}. */
  public static Source read(Section data) {
    String encoding = data.text("encoding");
    if (encoding != null && !isCharset(encoding)) {
      throw data.wrong(
          "encoding", "the name of a character set, such as ISO-8859-1, windows-1252 or UTF-16");
    }
    return new Source(
        data.text("input"),
        data.choice("format", FORMATS),
        encoding,
        data.text("query"),
        Csv.read(data));
  }

  private static boolean isCharset(String name) {
    try {
      return Charset.isSupported(name);
    } catch (IllegalCharsetNameException e) {
      return false;
    }
  }

  /** Returns the character set of a CSV. */
  Charset charset() {
    return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
  }
}
