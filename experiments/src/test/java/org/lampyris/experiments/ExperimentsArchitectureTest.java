package org.lampyris.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
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
  void packagesHaveNoCycle() {
    slices().matching("org.lampyris.(**)").should().beFreeOfCycles().check(ALL);
  }
}
