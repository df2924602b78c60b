package org.lampyris.bounds.family;

import java.util.Map;

/**
 * Makes a family of the user's own: a public class with a public constructor without arguments, on
 * the class path of driver and executors, whose name the configuration gives as {@code
 * model.family}.
 */
@FunctionalInterface
public interface FamilyFactory {

  /**
   * Returns the family for a table. Called on the driver, whenever a command needs the family; the
   * same arguments must give the same family.
   *
   * @param table what is known of the table
   * @param options {@code model.options}, by key
   * @throws IllegalArgumentException if the options are at fault; the message, one sentence, is
   *     shown to the user
   */
  Family create(FamilyTable table, Map<String, String> options);
}
