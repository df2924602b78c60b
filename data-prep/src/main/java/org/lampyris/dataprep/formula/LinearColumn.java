package org.lampyris.dataprep.formula;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.dataprep.formula.Basis.Wish;
import org.lampyris.executors.table.TableSchema;

/**
 * Column of a term that is linear in a number x: the unpenalised column of {@code s(x)}, that of x
 * in {@code t2(x, z)}, the first polynomial of {@code poly(x, k)}, {@code scale(x)}. So x can vary
 * by group although it is no term itself, and the mean of its slopes is that column's coefficient.
 *
 * @param name the column's name
 * @param line x as a line of the column
 */
public record LinearColumn(String name, TableEffects.Line line) {
  /** A term's function of x, and the name of its linear column. */
  private record Found(@Nullable Smooth smooth, Wish wish, String column) {
    TableEffects.@Nullable Line line(List<Double> numbers) {
      if (smooth != null) {
        boolean alone = smooth.margins().size() == 1;
        return new PSpline(wish.size(), numbers, wish.label())
            .columns(alone ? PSpline.Form.CENTERED : PSpline.Form.MARGIN)
            .ofFirst();
      }
      return wish.hasColumns()
          ? wish.from(numbers).ofFirst()
          : new TableEffects.Line(numbers.get(1), numbers.get(0));
    }
  }

  /** Returns the numbers of which terms of a formula have a linear column. */
  public static Set<String> all(String formula) {
    return found(Formula.parse(formula)).keySet();
  }

  /** Returns the linear column of a number in a table; null if there is none. */
  public static @Nullable LinearColumn of(TableSchema schema, String number) {
    TableSchema.Formula stored = schema.source().formula();
    Found found = stored == null ? null : found(Formula.parse(stored.terms())).get(number);
    if (stored == null || found == null) {
      return null;
    }
    List<Double> numbers =
        FormulaExpansion.numbers(stored).getOrDefault(found.wish.label(), List.of());
    return new LinearColumn(found.column, Objects.requireNonNull(found.line(numbers)));
  }

  private static Map<String, Found> found(Formula formula) {
    Map<String, Found> found = new LinkedHashMap<>();
    Terms terms = formula.terms();
    for (BitSet term : terms.terms()) {
      Expression variable = terms.variables().get(term.nextSetBit(0));
      if (term.cardinality() > 1 || !(variable instanceof Expression.Call call)) {
        continue;
      }
      Smooth smooth = Smooth.of(call, formula.text());
      if (smooth != null && smooth.by() == null) {
        List<String> columns = smooth.listed(call.label(), List.of()).get(0).columns();
        for (int m = 0; m < smooth.margins().size(); m++) {
          Wish margin = smooth.margins().get(m);
          found.putIfAbsent(margin.of().label(), new Found(smooth, margin, columns.get(m)));
        }
      }
      Wish wish = smooth == null ? Wish.of(call, formula.text()) : null;
      if (wish != null && wish.isLinearFirst()) {
        String column = call.label() + (wish.size() > 1 ? "1" : "");
        found.putIfAbsent(wish.of().label(), new Found(null, wish, column));
      }
    }
    return found;
  }
}
