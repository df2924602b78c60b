package org.lampyris.bounds.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
  private final Path folder;

  RegistryTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** What the tests register. */
  public interface Fruit extends Registered {}

  record Ripeness(int days) implements Serializable {}

  /** One. */
  public static final class Apple implements Fruit {
    @Override
    public String name() {
      return "apple";
    }

    @Override
    public List<OwnSection<?>> sections() {
      return List.of(new OwnSection<>("ripeness", Ripeness.class, (s, d) -> new Ripeness(1)));
    }
  }

  /** Another, which shares its section. */
  public static final class Pear implements Fruit {
    @Override
    public String name() {
      return "pear";
    }

    @Override
    public List<OwnSection<?>> sections() {
      return new Apple().sections();
    }
  }

  /** One whose name is taken. */
  public static final class Quince implements Fruit {
    @Override
    public String name() {
      return "pear";
    }
  }

  /** Finds the fruit that a service file names which the context class loader sees. */
  private Registry<Fruit> registry(String... classes) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(Fruit.class.getName()), List.of(classes));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader jar = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(jar);
      return Registry.of(Fruit.class);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void servicesAreFoundInTheOrderOfTheirLines() throws IOException {
    assertEquals(List.of(), Registry.of(Fruit.class).names());
    Registry<Fruit> fruit = registry(Pear.class.getName(), Apple.class.getName());
    assertEquals(List.of("pear", "apple"), fruit.names());
    assertEquals("apple", fruit.named("apple").name());
    assertThrows(IllegalArgumentException.class, () -> fruit.named("plum"));
    assertEquals(1, fruit.sections().size());
    assertEquals(List.of("days"), fruit.sections().get(0).keys());
  }

  @Test
  void aNameIsForOne() {
    assertEquals(
        "the classes "
            + Pear.class.getName()
            + " and "
            + Quince.class.getName()
            + " both have the name \"pear\". Rename one of them.",
        assertThrows(
                UserException.class, () -> registry(Pear.class.getName(), Quince.class.getName()))
            .getMessage());
  }

  @Test
  void aClassThatIsNotThereIsTold() {
    String message =
        String.valueOf(
            assertThrows(UserException.class, () -> registry("org.example.Plum")).getMessage());
    assertTrue(message.contains("org.example.Plum"), message);
  }
}
