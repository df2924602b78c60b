package org.lampyris.dataprep.read;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.internal.SQLConf;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Product;
import scala.collection.Iterable;
import scala.collection.Iterator;

/**
 * Checks that {@code data.query} only reads, from the plan of Spark's parser, before any of it is
 * analysed or run. A plan may consist of the parts of a query alone, in subqueries and common table
 * expressions as well; what is not known to be one is refused.
 */
public final class Query {
  /** The parts of a parsed query, as Spark 4 names them. */
  private static final Set<String> PARTS =
      Set.of(
          ("Aggregate AsOfJoin Deduplicate Distinct Except Filter Generate GlobalLimit Intersect"
                  + " Join LateralJoin Limit LocalLimit LocalRelation Offset OneRowRelation"
                  + " PipeOperator Pivot Project Range RebalancePartitions RelationTimeTravel"
                  + " Repartition RepartitionByExpression ResolvedHint Sample Sort SubqueryAlias"
                  + " Tail Union Unpivot UnresolvedHaving UnresolvedHint UnresolvedInlineTable"
                  + " UnresolvedRelation UnresolvedSubqueryColumnAliases UnresolvedTVFAliases"
                  + " UnresolvedTableValuedFunction UnresolvedWith Window WithWindowDefinition")
              .split(" "));

  /** Functions that call a method of any class. */
  private static final Set<String> CALLS = Set.of("java_method", "reflect", "try_reflect");

  private Query() {}

  /**
   * Parses a query.
   *
   * @throws UserException (usage) if it is none, or holds something that is no part of one
   */
  public static void require(String text) {
    LogicalPlan plan;
    try {
      plan = SQLConf.withExistingConf(settings(), () -> new SparkSqlParser().parsePlan(text));
    } catch (Exception e) {
      if (e instanceof AnalysisException || e instanceof ParseException) {
        throw UserException.usage("data.query cannot be understood: " + problem(e), e);
      }
      throw e;
    } catch (StackOverflowError e) {
      throw UserException.usage("data.query is nested too deeply to be parsed. Simplify it.", e);
    }
    visit(plan);
  }

  /** Returns the settings of Spark SQL that the program was started with. */
  private static SQLConf settings() {
    SQLConf settings = new SQLConf();
    for (var setting : new SparkConf().getAll()) {
      if (setting._1().startsWith("spark.sql.")) {
        settings.setConfString(setting._1(), setting._2());
      }
    }
    return settings;
  }

  /** Returns Spark's message about a query, without the condition's name and the excerpt. */
  public static String problem(Throwable e) {
    return String.valueOf(e.getMessage())
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("")
        .replaceFirst("^\\[[A-Z_.0-9]+\\]\\s*", "");
  }

  /** Visits a part of a plan and everything in it; subqueries are not children of their node. */
  private static void visit(Object part) {
    if (part instanceof LogicalPlan plan && !PARTS.contains(plan.getClass().getSimpleName())) {
      throw UserException.usage(
          "data.query contains %s (Spark's name), which is not part of a SELECT or does more than read. Write a SELECT over the view input."
              .formatted(plan.getClass().getSimpleName().replace("$", "")));
    }
    if (part instanceof UnresolvedFunction function) {
      requireHarmless(ScalaCollections.asJava(function.nameParts()));
    } else if (part instanceof UnresolvedTableValuedFunction function) {
      requireHarmless(ScalaCollections.asJava(function.name()));
    } else if (part instanceof FunctionIdentifier function) {
      requireHarmless(List.of(function.funcName()));
    } else if (part instanceof Expression expression
        && expression.getClass().getSimpleName().equals("ExpressionWithUnresolvedIdentifier")) {
      throw UserException.usage(
          "data.query computes a name by IDENTIFIER(…), which could name any function. Write the"
              + " name itself.");
    }
    Iterator<?> within =
        part instanceof Iterable<?> many
            ? many.iterator()
            : part instanceof Product product ? product.productIterator() : Iterator.empty();
    while (within.hasNext()) {
      visit(within.next());
    }
  }

  private static void requireHarmless(List<String> name) {
    String last = name.get(name.size() - 1).toLowerCase(Locale.ROOT);
    if (CALLS.contains(last)) {
      throw UserException.usage(
          "data.query calls %s, which can run any code on the class path. Remove it."
              .formatted(last));
    }
  }
}
