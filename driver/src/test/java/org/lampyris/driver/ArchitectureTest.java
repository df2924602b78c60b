package org.lampyris.driver;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;

/**
 * Which module may use what, and which rooms of samplers; docs/architecture.md has the picture.
 * Each module may use what those before it may: bounds, samplers, executors, data-prep, driver.
 */
class ArchitectureTest {
  private static final JavaClasses LAMPYRIS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.lampyris");

  /** The package "" is that of primitives and their arrays. */
  private static final String BY_VECTORS = "org.lampyris.bounds.rows.VectorProducts";

  private static final List<String> BOUNDS =
      List.of(
          "",
          "java..",
          "org.ejml..",
          "org.apache.commons.text..",
          "org.apache.commons.numbers.gamma..",
          "org.jspecify.annotations..",
          "com.google.errorprone.annotations..",
          "org.lampyris.bounds..");

  private static final List<String> SAMPLERS =
      with(
          BOUNDS,
          "org.apache.commons.rng..",
          "org.apache.commons.statistics..",
          "org.apache.commons.numbers..",
          "org.roaringbitmap..",
          "org.lampyris.samplers..");

  private static final List<String> EXECUTORS =
      with(
          SAMPLERS,
          "org.apache.spark..",
          "org.apache.hadoop..",
          "org.apache.parquet..",
          "scala..",
          "org.slf4j..",
          "com.fasterxml.jackson..",
          "com.esotericsoftware.kryo..",
          "org.lampyris.executors..");

  /** An algorithm's room is the package of its {@link SamplingAlgorithm}, and what is below it. */
  private static final List<String> ALGORITHMS =
      LAMPYRIS.stream()
          .filter(type -> type.isAssignableTo(SamplingAlgorithm.class))
          .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
          .map(JavaClass::getPackageName)
          .distinct()
          .toList();

  private static final String COLUMN = "org.lampyris.executors.table.TableSchema$Column";

  private static final int MOST_ROOMS = 12;
  private static final int LEAST_TYPES = 3;

  private static final List<String> DATA_PREP = with(EXECUTORS, "org.lampyris.dataprep..");

  @Test
  void everyModuleIsLookedAt() {
    // Rules about packages that nothing resides in hold for the wrong reason.
    for (String module : List.of("bounds", "samplers", "executors", "dataprep")) {
      assertTrue(
          LAMPYRIS.stream().anyMatch(resideInAnyPackage("org.lampyris." + module + "..")), module);
    }
    classes()
        .should()
        .resideInAnyPackage(
            "org.lampyris.bounds..",
            "org.lampyris.samplers..",
            "org.lampyris.executors..",
            "org.lampyris.dataprep..",
            "org.lampyris.driver..")
        .check(LAMPYRIS);
  }

  @Test
  void boundsUseTheJdkEjmlAndCommons() {
    classes()
        .that(resideInAPackage("org.lampyris.bounds..").and(not(name(BY_VECTORS))))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(BOUNDS.toArray(String[]::new))
        .check(LAMPYRIS);
  }

  /**
   * What needs an incubator module is one class, which is found by its name where the module is.
   */
  @Test
  void nothingNeedsAnIncubatorModule() {
    classes()
        .that(name(BY_VECTORS))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(with(BOUNDS, "jdk.incubator.vector").toArray(String[]::new))
        .check(LAMPYRIS);
    noClasses()
        .that(not(name(BY_VECTORS)))
        .should()
        .dependOnClassesThat(resideInAPackage("jdk.incubator..").or(name(BY_VECTORS)))
        .check(LAMPYRIS);
  }

  @Test
  void samplersUseBoundsAndTheCommonsLibraries() {
    onlyUse("org.lampyris.samplers..", SAMPLERS);
  }

  @Test
  void executorsUseSamplersAndSpark() {
    onlyUse("org.lampyris.executors..", EXECUTORS);
  }

  @Test
  void dataPrepUsesExecutors() {
    onlyUse("org.lampyris.dataprep..", DATA_PREP);
  }

  @Test
  void nothingDependsOnTheDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.lampyris.driver..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.lampyris.driver..")
        .check(LAMPYRIS);
  }

  /** What they themselves may use, their own test says: they come after this module. */
  @Test
  void nothingDependsOnTheExperiments() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.lampyris.experiments..")
        .check(LAMPYRIS);
  }

  @Test
  void packagesHaveNoCycle() {
    slices().matching("org.lampyris.(**)").should().beFreeOfCycles().check(LAMPYRIS);
  }

  @Test
  void anAlgorithmKnowsNoOther() {
    assertTrue(ALGORITHMS.size() >= 3, ALGORITHMS::toString);
    for (String algorithm : ALGORITHMS) {
      noClasses()
          .that()
          .resideInAPackage(algorithm + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(rooms(other -> !other.equals(algorithm)))
          .check(LAMPYRIS);
    }
  }

  /** Programs are above the algorithms, and may use them. */
  @Test
  void nothingBelowAnAlgorithmKnowsIt() {
    String[] algorithms = rooms(algorithm -> true);
    noClasses()
        .that()
        .resideInAnyPackage("org.lampyris.samplers..", "org.lampyris.executors..")
        .and()
        .resideOutsideOfPackages(algorithms)
        .and()
        .resideOutsideOfPackage("org.lampyris.samplers.program..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(algorithms)
        .check(LAMPYRIS);
  }

  @Test
  void rowsKnowRowsAndStreamsOnly() {
    onlyUse(
        "org.lampyris.samplers.rows..",
        with(BOUNDS, "org.lampyris.samplers.rows..", "org.lampyris.samplers.random.."));
  }

  /** A module's rooms are the packages right below it; a family's folder is part of its room. */
  @Test
  void aModuleHasADozenRoomsAtMost() {
    Map<String, Set<String>> rooms =
        topLevel()
            .collect(
                Collectors.groupingBy(
                    ArchitectureTest::module,
                    TreeMap::new,
                    Collectors.mapping(ArchitectureTest::room, Collectors.toSet())));
    assertTrue(rooms.size() >= 8, rooms.keySet().toString());
    rooms.values().removeIf(names -> names.size() <= MOST_ROOMS);
    assertEquals(Map.of(), rooms);
  }

  @Test
  void aRoomHasThreeTypesOrMore() {
    Map<String, Long> types =
        topLevel().collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    types.values().removeIf(count -> count >= LEAST_TYPES);
    assertEquals(Map.of(), types);
  }

  @Test
  void aNameHasOneMeaningInAModule() {
    Map<String, List<String>> types =
        topLevel()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(
                Collectors.groupingBy(
                    type -> folder(type) + ": " + type.getSimpleName(),
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    types.values().removeIf(names -> names.size() == 1);
    assertEquals(Map.of(), types);
  }

  @Test
  void namesSayWhatATypeIs() {
    assertEquals(
        List.of(),
        topLevel().map(JavaClass::getName).filter(name -> name.endsWith("Test")).toList());
    assertEquals(
        List.of(),
        topLevel()
            .map(JavaClass::getPackageName)
            .filter(name -> name.matches(".*\\.(util|utils|common|helpers?)(\\..*)?"))
            .distinct()
            .toList());
  }

  @Test
  void whatIsExactNeverDependsOnWhatIsApproximate() {
    for (String module : List.of("engine", "exact", "approximate", "programs")) {
      assertTrue(LAMPYRIS.stream().anyMatch(in("samplers/" + module)), module);
    }
    noClasses()
        .that(in("samplers/engine").or(in("samplers/exact")))
        .should()
        .dependOnClassesThat(in("samplers/approximate").or(in("samplers/programs")))
        .check(LAMPYRIS);
    noClasses()
        .that(in("samplers/engine").or(in("samplers/approximate")))
        .should()
        .dependOnClassesThat(in("samplers/exact").or(in("samplers/programs")))
        .check(LAMPYRIS);
  }

  /** Neither a type of an algorithm's room, nor a type that is called after one. */
  @Test
  void noAlgorithmIsNamedInExecutors() {
    noClasses()
        .that()
        .resideInAnyPackage("org.lampyris.executors..", "org.lampyris.dataprep..")
        .should()
        .dependOnClassesThat(
            in("samplers/exact").or(in("samplers/approximate")).or(in("samplers/programs")))
        .check(LAMPYRIS);
    List<String> words = ALGORITHMS.stream().map(ArchitectureTest::lastWord).toList();
    assertEquals(
        List.of(),
        topLevel()
            .filter(resideInAPackage("org.lampyris.executors.."))
            .map(JavaClass::getName)
            .filter(name -> words.stream().anyMatch(name.toLowerCase(Locale.ROOT)::contains))
            .toList());
  }

  private static Stream<JavaClass> topLevel() {
    return LAMPYRIS.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"));
  }

  private static String lastWord(String packageName) {
    return packageName.substring(packageName.lastIndexOf('.') + 1);
  }

  /** The folder of a type's module: the second word of its package. */
  private static String folder(JavaClass type) {
    return type.getPackageName().split("\\.", -1)[2];
  }

  /** The second word of a type's package, and in samplers the Maven module that it is of. */
  private static String module(JavaClass type) {
    String source =
        type.getBaseComponentType().getSource().map(from -> from.getUri().toString()).orElse("");
    Matcher samplers = Pattern.compile("samplers[/-](\\w+)").matcher(source);
    return folder(type).equals("samplers") && samplers.find()
        ? "samplers/" + samplers.group(1)
        : folder(type);
  }

  private static String room(JavaClass type) {
    String[] words = type.getPackageName().split("\\.", -1);
    return words.length > 3 ? words[3] : "";
  }

  private static DescribedPredicate<JavaClass> in(String module) {
    return are(
        "in " + module,
        (JavaClass type) ->
            type.getPackageName().startsWith("org.lampyris.") && module(type).equals(module));
  }

  private static String[] rooms(Predicate<String> which) {
    return ALGORITHMS.stream().filter(which).map(room -> room + "..").toArray(String[]::new);
  }

  @Test
  void neitherBreezeNorSparkMllibIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "breeze..", "org.scalanlp..", "org.apache.spark.ml..", "org.apache.spark.mllib..")
        .check(LAMPYRIS);
  }

  /**
   * The jar holds these libraries under other names, which own models and algorithms cannot use.
   */
  @Test
  void renamedLibrariesStayOutOfVisibleSignatures() {
    members()
        .that()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage("org.lampyris.driver.cli..")
        .and(are("visible outside of their package", ArchitectureTest::isVisible))
        .should(
            new NotMention(
                "org.ejml..",
                "org.apache.commons.numbers..",
                "org.apache.commons.statistics..",
                "org.yaml.snakeyaml..",
                "com.fasterxml.jackson.dataformat.yaml..",
                "me.tongfei.progressbar..",
                "picocli.."))
        .check(LAMPYRIS);
  }

  @Test
  void theMasterIsTheUsersToSet() {
    noClasses()
        .should()
        .callMethodWhere(
            are(
                "a call that sets the master",
                (JavaMethodCall call) ->
                    call.getTargetOwner().getPackageName().startsWith("org.apache.spark")
                        && List.of("master", "setMaster").contains(call.getName())
                        && !call.getTarget().getRawParameterTypes().isEmpty()))
        .check(LAMPYRIS);
  }

  /**
   * Stored columns are x − center, never divided: {@code ColumnCenters} alone takes them back. A
   * reader that has a column's centre or scale would make a contract of its own.
   */
  @Test
  void storedColumnsAreReadThroughTheirCentres() {
    assertTrue(LAMPYRIS.contain(COLUMN), COLUMN);
    noClasses()
        .that()
        .resideOutsideOfPackages("org.lampyris.executors.table..", "org.lampyris.dataprep..")
        .should()
        .accessTargetWhere(
            are(
                "a reference to the centre or the scale of a column",
                (JavaAccess<?> access) ->
                    access.getTargetOwner().getName().equals(COLUMN)
                        && List.of("center", "scale").contains(access.getName())))
        .check(LAMPYRIS);
  }

  private static void onlyUse(String module, List<String> packages) {
    classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(packages.toArray(String[]::new))
        .check(LAMPYRIS);
  }

  private static List<String> with(List<String> packages, String... more) {
    List<String> all = new ArrayList<>(packages);
    all.addAll(List.of(more));
    return List.copyOf(all);
  }

  private static boolean isVisible(JavaMember member) {
    return isVisible(member.getModifiers().stream()) && isVisible(member.getOwner());
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers().stream())
        && type.getEnclosingClass().map(ArchitectureTest::isVisible).orElse(true);
  }

  private static boolean isVisible(Stream<JavaModifier> modifiers) {
    return modifiers.anyMatch(List.of(JavaModifier.PUBLIC, JavaModifier.PROTECTED)::contains);
  }

  private static <T> DescribedPredicate<T> are(String description, Predicate<T> predicate) {
    return DescribedPredicate.describe(description, predicate);
  }

  /** Members whose types, type arguments and elements of arrays included, are of other packages. */
  private static final class NotMention extends ArchCondition<JavaMember> {
    private final DescribedPredicate<JavaClass> banned;

    NotMention(String... packageIdentifiers) {
      super("not mention classes of " + String.join(", ", packageIdentifiers));
      banned = resideInAnyPackage(packageIdentifiers);
    }

    @Override
    public void check(JavaMember member, ConditionEvents events) {
      types(member)
          .flatMap(type -> type.getAllInvolvedRawTypes().stream())
          .map(JavaClass::getBaseComponentType)
          .filter(banned)
          .distinct()
          .forEach(
              type ->
                  events.add(
                      SimpleConditionEvent.violated(
                          member, member.getFullName() + " mentions " + type.getName())));
    }

    private static Stream<JavaType> types(JavaMember member) {
      if (member instanceof JavaCodeUnit unit) {
        return Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
      }
      return Stream.of(((JavaField) member).getType());
    }
  }
}
