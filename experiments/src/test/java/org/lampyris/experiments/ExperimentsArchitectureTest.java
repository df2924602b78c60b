package org.lampyris.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The experiments may use every module, and no module uses them. */
class ExperimentsArchitectureTest {
  private static final String EXPERIMENTS = "org.lampyris.experiments..";
  private static final JavaClasses OWN =
      new ClassFileImporter().importPath(Path.of("target/classes"));
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.lampyris");

  @Test
  void theModuleKeepsToItsPackages() {
    assertTrue(ALL.size() > OWN.size() && !OWN.isEmpty(), OWN.size() + " of " + ALL.size());
    classes().should().resideInAPackage(EXPERIMENTS).check(OWN);
  }

  @Test
  void noModuleUsesTheExperiments() {
    noClasses()
        .that()
        .resideOutsideOfPackage(EXPERIMENTS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(EXPERIMENTS)
        .check(ALL);
  }

  @Test
  void roomsAreFewAndNoneIsAlmostEmpty() {
    Map<String, Long> types =
        topLevel().collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertTrue(types.size() <= 12, types::toString);
    types.values().removeIf(count -> count >= 3);
    assertEquals(Map.of(), types);
  }

  @Test
  void aNameHasOneMeaningAndIsNoTests() {
    Map<String, Long> names =
        topLevel()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()));
    names.values().removeIf(count -> count == 1);
    assertEquals(Map.of(), names);
    assertEquals(
        List.of(),
        topLevel().map(JavaClass::getName).filter(name -> name.endsWith("Test")).toList());
  }

  private static Stream<JavaClass> topLevel() {
    return OWN.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"));
  }

  @Test
  void packagesHaveNoCycle() {
    slices().matching("org.lampyris.(**)").should().beFreeOfCycles().check(ALL);
  }
}
