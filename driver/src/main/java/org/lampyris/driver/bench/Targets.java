package org.lampyris.driver.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the engine must show, and the runs that show it. All figures are ratios within one run, but
 * for the iterations a second of the authors' Python on MNIST, which are those of its README.
 */
public final class Targets {
  /** All of them. */
  public static final Set<Integer> ALL = Set.of(1, 2, 3, 4, 5, 6);

  static final int NARROW = 20;
  static final int WIDE = 50;
  static final String MNIST = "MNIST 7 against 9";
  private static final String MNIST_FILE = "mnist79_train.csv.gz";
  static final String FIREFLY = "firefly, random walk";
  static final String TIGHT_AT_MODE = "firefly, map-tuned bounds, random walk";
  static final String MHSS = "mhss, random walk";
  static final String AUTO = "auto";
  static final String PAPER = "firefly, random walk, q = 0.01";
  static final String FULL_HMC = "full data, hmc";
  private static final String MAP_TUNED = "sampler.firefly.bound=map-tuned";
  private static final List<String> GRADIENT_KERNELS = List.of("hmc", "mala");

  private final Set<Integer> wanted;
  private final boolean quick;
  private final @Nullable String data;

  /**
   * Takes what is wanted.
   *
   * @param wanted the numbers of the targets
   * @param quick whether smaller tables and shorter runs will do
   * @param data the folder of the table of MNIST; null for none
   */
  public Targets(Set<Integer> wanted, boolean quick, @Nullable String data) {
    this.wanted = Set.copyOf(wanted);
    this.quick = quick;
    this.data = data;
  }

  /** Returns the tables and their rows. */
  public List<Subject> subjects() {
    List<Subject> subjects = new ArrayList<>();
    if (wanted.contains(4) && data != null) {
      // First: where the file is missing, that is told at once.
      subjects.add(mnist(data));
    }
    for (long rows : sizes()) {
      List<Entry> entries = new ArrayList<>();
      if (wanted.contains(1)
          || (wanted.contains(2) && rows == jobsSize())
          || (wanted.contains(6) && rows == largest())) {
        entries.add(entry(FIREFLY, rows == jobsSize() ? 30 : 10, "firefly", "random-walk"));
      }
      if (wanted.contains(1)) {
        entries.add(entry(TIGHT_AT_MODE, 10, "firefly", "random-walk", MAP_TUNED));
        entries.add(entry(MHSS, 10, "mhss", "random-walk"));
      }
      if (wanted.contains(3) && rows == largest()) {
        entries.add(
            new Entry(
                AUTO,
                List.of("sampler.algorithm=auto"),
                500,
                500,
                new Goal(Goal.Measure.ESS, Verdicts.ENOUGH)));
      }
      if (!entries.isEmpty()) {
        subjects.add(Subject.generated(rows, NARROW, List.of(), entries));
      }
    }
    if (wanted.contains(4)) {
      // An iteration takes seconds here; with fewer draws the ESS would be a guess.
      Goal fullData = new Goal(Goal.Measure.DRAWS, quick ? 30 : 100);
      subjects.add(Subject.generated(wideSize(), WIDE, List.of(), gradientKernels(fullData)));
    }
    if (wanted.contains(5)) {
      subjects.add(Subject.generated(passSize(), WIDE, List.of(), List.of()));
    }
    return subjects;
  }

  private Subject mnist(String folder) {
    List<Entry> entries = new ArrayList<>();
    entries.add(
        entry(
            PAPER,
            10,
            "firefly",
            "random-walk",
            "sampler.preconditioner=none",
            MAP_TUNED,
            "sampler.firefly.z_kernel=implicit",
            "sampler.firefly.q=0.01"));
    entries.add(entry(FIREFLY, 10, "firefly", "random-walk"));
    entries.add(entry("firefly, map-tuned bounds, hmc", 10, "firefly", "hmc", MAP_TUNED));
    entries.addAll(gradientKernels(new Goal(Goal.Measure.SECONDS, seconds(10))));
    return new Subject(
        MNIST,
        new Subject.Source.Input(folder + "/" + MNIST_FILE, "y"),
        List.of("model.prior=normal(0, 0.316228)"),
        entries);
  }

  private List<Entry> gradientKernels(Goal fullData) {
    List<Entry> entries = new ArrayList<>();
    GRADIENT_KERNELS.forEach(
        kernel -> entries.add(entry("firefly, " + kernel, 10, "firefly", kernel)));
    entries.add(Grid.fullData("hmc", fullData));
    return entries;
  }

  private Entry entry(
      String name, double seconds, String algorithm, String kernel, String... more) {
    List<String> settings = new ArrayList<>();
    settings.add("sampler.algorithm=" + algorithm);
    settings.add("sampler.kernel=" + kernel);
    settings.addAll(Arrays.asList(more));
    Goal goal = new Goal(Goal.Measure.SECONDS, seconds(seconds));
    return new Entry(name, settings, 500, 500, goal);
  }

  private double seconds(double asked) {
    return quick ? 1 : asked;
  }

  private long[] sizes() {
    return quick
        ? new long[] {10_000, 100_000}
        : new long[] {10_000, 100_000, 1_000_000, 10_000_000};
  }

  private long largest() {
    long[] sizes = sizes();
    return sizes[sizes.length - 1];
  }

  private long jobsSize() {
    return Math.min(1_000_000, largest());
  }

  /** Large enough for a pass to take many times what a job takes. */
  private long passSize() {
    return 4 * wideSize();
  }

  private long wideSize() {
    return quick ? 100_000 : 1_000_000;
  }

  /** Returns the figures beside the targets, those that could not be measured among them. */
  public List<Verdict> verdicts(List<SubjectResult> results) {
    Verdicts verdicts = new Verdicts(results);
    List<Verdict> all = new ArrayList<>();
    if (wanted.contains(1)) {
      all.addAll(verdicts.evaluations(names(sizes())));
    }
    if (wanted.contains(2)) {
      all.add(verdicts.iterationsBesideJobs(name(jobsSize(), NARROW)));
    }
    if (wanted.contains(3)) {
      all.add(verdicts.besidePrecompute(name(largest(), NARROW)));
    }
    if (wanted.contains(4)) {
      all.add(verdicts.besidePython(MNIST));
      all.add(verdicts.besideFullData(MNIST, 5));
      all.add(verdicts.besideFullData(name(wideSize(), WIDE), 200));
    }
    if (wanted.contains(5)) {
      all.add(verdicts.besideStream(name(passSize(), WIDE)));
    }
    if (wanted.contains(6)) {
      all.add(verdicts.resident(name(largest(), NARROW)));
    }
    return all;
  }

  private static List<String> names(long[] sizes) {
    return Arrays.stream(sizes).mapToObj(rows -> name(rows, NARROW)).toList();
  }

  private static String name(long rows, int features) {
    return Subject.generated(rows, features, List.of(), List.of()).name();
  }
}
