package org.lampyris.dataprep.read;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.LabelKind;

/**
 * Roles of a table's columns, by name.
 *
 * @param label the label; null where the command needs none
 * @param features the features; empty for every column without another role
 * @param categorical how categorical columns are encoded, by column; text columns that are not
 *     named here get the defaults
 * @param weight the row weights; null for none
 * @param groupBy the column whose equal values make a group; null for none
 * @param orderBy the column in whose ascending order the rows of a group lie; null for none
 * @param positive the class that a label of two classes has as class 1; null for the second one
 */
public record Columns(
    @Nullable String label,
    List<String> features,
    Map<String, Categorical> categorical,
    @Nullable String weight,
    @Nullable String groupBy,
    @Nullable String orderBy,
    @Nullable String positive,
    @Inline Rules rules) {
  /**
   * Rules for cells that are neither numbers nor levels.
   *
   * @param missing what becomes of cells without a value: empty, NA, NaN or null
   * @param dates what becomes of columns of dates and times
   */
  public record Rules(Missing missing, Dates dates) {
    /** Both refused. */
    public static final Rules DEFAULT = new Rules(Missing.REFUSE, Dates.REFUSE);
  }

  /** Rule for cells without a value. */
  public enum Missing {
    /** The table is refused. */
    REFUSE,
    /** Their rows are left out, and counted. */
    DROP,
    /** A level of its own for categories; elsewhere the table is refused. */
    LEVEL
  }

  /** Rule for columns of dates and times. */
  public enum Dates {
    /** The table is refused. */
    REFUSE,
    /** They are days since 1970-01-01 in UTC, the time of day as a part of one. */
    DAYS
  }

  /**
   * One-hot encoding of a categorical column.
   *
   * @param levels the levels that may occur; empty to take those that do occur, in ascending order
   * @param reference the level that gets no column; null for the first level
   * @param top how many of the most frequent levels are kept, the others becoming one level named
   *     {@code other}; null to keep all
   * @param other the name of the level that takes in levels outside of {@code levels} or {@code
   *     top}; null makes an unknown level an error (with {@code top}: "(other)")
   * @param order the order of levels that are not listed
   */
  public record Categorical(
      List<String> levels,
      @Nullable String reference,
      @Nullable Integer top,
      @Nullable String other,
      Order order) {
    /** Order of levels. */
    public enum Order {
      /** Numbers by value, text by character. */
      VALUE,
      /**
       * The most frequent level first, as Spark's StringIndexer; equally frequent ones by value.
       */
      FREQUENCY,
      /** As the levels first appear in the input: files by name, rows as they come. */
      APPEARANCE
    }

    /** All occurring levels, the first of them as the reference. */
    public static final Categorical DEFAULT = new Categorical(List.of(), null, null, null);

    /** Creates an encoding whose levels are ordered by value. */
    public Categorical(
        List<String> levels,
        @Nullable String reference,
        @Nullable Integer top,
        @Nullable String other) {
      this(levels, reference, top, other, Order.VALUE);
    }

    /** Returns the same encoding with another reference. */
    public Categorical withReference(String level) {
      return new Categorical(levels, level, top, other, order);
    }

    private static Categorical read(Section parent, String column) {
      Section section = parent.section(column, "levels", "reference", "top", "other", "order");
      List<String> levels = section.texts("levels");
      if (Set.copyOf(levels).size() < levels.size()) {
        throw section.wrong("levels", "a list of levels, each once");
      }
      Order order = section.choice("order", Order.VALUE);
      if (order != Order.VALUE && !levels.isEmpty()) {
        throw section.wrong("order", "omitted when levels are listed, which have their order");
      }
      Long top = section.whole("top", 1, Integer.MAX_VALUE);
      if (top != null && !levels.isEmpty()) {
        throw section.wrong("top", "omitted when levels are listed");
      }
      String reference = section.text("reference");
      if (reference != null && !levels.isEmpty() && !levels.contains(reference)) {
        throw section.wrong("reference", "one of the listed levels");
      }
      return new Categorical(
          levels,
          reference,
          top == null ? null : Math.toIntExact(top),
          section.text("other"),
          order);
    }
  }

  /**
   * Columns that the model needs.
   *
   * @param labelKind what the label must be
   * @param offset the column that is added to the linear predictor; null for none
   * @param trials the column with the number of trials; null for none
   * @param groups the columns whose levels groups of rows have effects by
   * @param formula what features are made of the columns; null for the columns themselves
   * @param classes classes that a label of several classes has besides those that occur
   * @param zeros the model's parameter that only labels of 0 tell anything about; null for none
   */
  public record Model(
      LabelKind labelKind,
      @Nullable String offset,
      @Nullable String trials,
      List<String> groups,
      @Nullable String formula,
      List<String> classes,
      @Nullable String zeros) {
    /** Copies the lists. */
    public Model {
      groups = List.copyOf(groups);
      classes = List.copyOf(classes);
    }

    /** Model whose label has the classes that occur. */
    public Model(
        LabelKind labelKind,
        @Nullable String offset,
        @Nullable String trials,
        List<String> groups,
        @Nullable String formula) {
      this(labelKind, offset, trials, groups, formula, List.of(), null);
    }

    /** Model without trials and groups. */
    public Model(LabelKind labelKind, @Nullable String offset) {
      this(labelKind, offset, null, List.of(), null);
    }
  }

  /**
   * Uses of cells, which determine how text that looks like numbers is read.
   *
   * @param keys columns whose values are compared: groups, classes, levels, and what orders rows
   * @param numbers columns that something is computed of, or that are ordered by number
   */
  public record Uses(Set<String> keys, Set<String> numbers) {
    /** Copies the sets. */
    public Uses {
      keys = Set.copyOf(keys);
      numbers = Set.copyOf(numbers);
    }

    /** Returns whether a column's values are compared for being equal, and nothing else. */
    public boolean comparesOnly(String column) {
      return keys.contains(column) && !numbers.contains(column);
    }
  }

  /**
   * Reads the keys of the section {@code data}.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if a value is wrong
   */
  public static Columns read(Section data) {
    String groupBy = data.text("group_by");
    String orderBy = data.text("order_by");
    if (orderBy != null && groupBy == null) {
      throw data.wrong(
          "order_by", "omitted without data.group_by, because it orders the rows of a group");
    }
    return new Columns(
        data.text("label"),
        data.texts("features"),
        data.map("categorical", Categorical::read, Categorical.DEFAULT),
        data.text("weight"),
        groupBy,
        orderBy,
        data.text("positive"),
        new Rules(data.choice("missing", Missing.REFUSE), data.choice("dates", Dates.REFUSE)));
  }

  /** Returns these roles with other features. */
  public Columns withFeatures(Collection<String> names, Map<String, Categorical> encodings) {
    return new Columns(
        label, List.copyOf(names), encodings, weight, groupBy, orderBy, positive, rules);
  }

  /** Returns the label, which the command needs. */
  String requiredLabel() {
    return Objects.requireNonNull(label);
  }

  /**
   * Returns the columns that stand for something else than a feature or the label, those that make
   * groups together among them.
   */
  public List<String> besides(Model model) {
    return Stream.concat(
            Stream.of(weight, model.offset, model.trials, groupBy, orderBy)
                .filter(Objects::nonNull),
            model.groups.stream()
                .flatMap(group -> Stream.concat(Stream.of(group), GroupKeys.parts(group).stream())))
        .distinct()
        .toList();
  }
}
