package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands whose input and folders lie on an object store, through Hadoop's S3A: S3Proxy, in a
 * process of its own, answers S3's protocol and keeps objects in memory. Results have the bytes of
 * local mode, whatever kills the driver.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ObjectStoreIT {
  private static final int KILLS = Integer.getInteger("lampyris.kills", 5);
  private static final long SEED = 53;

  /** The longest time from a command's first line to a kill. */
  private static final int MOST_MILLIS = 15_000;

  private static final String BUCKET = "night";
  private static final String KEYS =
      "algorithm: firefly, plan: stepwise, kernel: mala, warmup: 60, draws: 140, chains: 2,"
          + " checkpoint_minutes: 0.02";

  @TempDir static Path folder;
  private static int port;
  private static Process store;

  @BeforeAll
  static void begin() throws IOException, InterruptedException {
    Path table = Files.writeString(folder.resolve("table.csv"), Night.csv(3_000, 1));
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path properties =
        Files.writeString(
            folder.resolve("s3proxy.conf"),
            """
            s3proxy.endpoint=http://127.0.0.1:%d
            s3proxy.authorization=none
            jclouds.provider=transient
            jclouds.identity=unused
            jclouds.credential=unused
            """
                .formatted(port));
    Path log = folder.resolve("s3proxy.log");
    store =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath(),
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Waiting.until(
        () -> {
          assertTrue(store.isAlive(), () -> "S3Proxy has ended: " + text(log));
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          } catch (IOException e) {
            return false;
          }
        },
        () -> "S3Proxy does not answer: " + text(log));
    put("", HttpRequest.BodyPublishers.noBody());
    put("/table.csv", HttpRequest.BodyPublishers.ofFile(table));
    // In local mode, on local files: the bytes that all others are held against.
    try (Submission run =
        submit(
            "run",
            "--config",
            job("local", folder.toString(), table.toString()).toString(),
            "--not-converged",
            "0")) {
      Night.succeeds(run);
    }
  }

  @AfterAll
  static void end() {
    store.destroyForcibly();
  }

  private static String request(HttpRequest.Builder request, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/%s%s".formatted(port, BUCKET, path));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer::body);
    return answer.body();
  }

  private static void put(String path, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    String unused = request(HttpRequest.newBuilder().PUT(body), path);
  }

  private static String get(String path) throws IOException, InterruptedException {
    return request(HttpRequest.newBuilder(), path);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Path job(String name, String root, String input) throws IOException {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        data: {input: "%s", label: y, block_rows: 500}
        model: {family: logistic}
        sampler: {%s}
        output: "%s/%s"
        """
            .formatted(input, KEYS, root, name));
  }

  private static String classPath() {
    return String.valueOf(System.getProperty("java.class.path"));
  }

  /** Returns the jars that Spark's installation lacks: those of its Netty and logging stay. */
  private static String jars() {
    return Arrays.stream(classPath().split(File.pathSeparator, -1))
        .filter(
            jar ->
                jar.matches(
                    ".*/(hadoop-aws|analyticsaccelerator-s3|reactive-streams|eventstream|httpclient"
                        + "|httpcore|commons-logging)-[^/]*\\.jar|.*/software/amazon/awssdk/.*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Submission submit(String... command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--master",
                "local[2]",
                "--driver-memory",
                "1g",
                "--driver-class-path",
                jars(),
                "--conf",
                "spark.ui.enabled=false"));
    for (String setting :
        List.of(
            "endpoint=http://127.0.0.1:" + port,
            "endpoint.region=us-east-1",
            "path.style.access=true",
            "access.key=local",
            "secret.key=secret")) {
      all.addAll(List.of("--conf", "spark.hadoop.fs.s3a." + setting));
    }
    all.addAll(Arrays.asList(command));
    return new Submission(folder, all.toArray(String[]::new));
  }

  private static Submission run(String name) throws IOException {
    String root = "s3a://" + BUCKET;
    return submit(
        "run", "--config", job(name, root, root + "/table.csv").toString(), "--not-converged", "0");
  }

  private static void isWhole(String name) throws IOException, InterruptedException {
    assertEquals(
        Files.readString(folder.resolve("local/draws.csv")), get("/" + name + "/draws.csv"));
    String all = get("?list-type=2&prefix=" + name + "/");
    assertTrue(all.contains("<Key>" + name + "/report.html</Key>"), all);
    assertFalse(all.matches("(?s).*(_writing-|\\.tmp-|\\.old-|_temporary).*"), all);
  }

  @Test
  @Order(1)
  void aRun() throws Exception {
    try (Submission run = run("whole")) {
      Night.succeeds(run);
    }
    isWhole("whole");
  }

  @Test
  @Order(2)
  void questionsOfTheRun() throws Exception {
    String root = "s3a://" + BUCKET;
    try (Submission loo = submit("loo", root + "/whole", "--output", root + "/loo")) {
      Night.succeeds(loo);
    }
    assertTrue(get("/loo/loo.csv").startsWith("run,"));
    try (Submission predict =
        submit(
            "predict",
            "--config",
            folder.resolve("whole.yaml").toString(),
            "--input",
            root + "/table.csv",
            "--to",
            root + "/predicted")) {
      Night.succeeds(predict);
    }
    assertTrue(get("/predicted/prediction.json").startsWith("{"));
  }

  @Test
  @Order(3)
  void killedAndGivenAgain() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int kills = 0;
    for (int round = 1; kills < KILLS; round++) {
      String name = "killed-" + round;
      boolean ended = false;
      while (!ended) {
        long moment = random.nextLong(MOST_MILLIS);
        try (Submission run = run(name)) {
          run.awaits("prepare");
          long begun = System.nanoTime();
          while (run.isAlive() && (kills == KILLS || (System.nanoTime() - begun) / 1e6 < moment)) {
            Waiting.briefly();
          }
          if (run.isAlive()) {
            String last = run.err().lines().reduce("", (before, line) -> line);
            Signals.send("KILL", run.process());
            assertEquals(137, run.exitCode(), run.err());
            kills++;
            System.out.printf("%d | %.1f s | %s%n", kills, moment / 1e3, last);
          } else {
            Night.succeeds(run);
            ended = true;
          }
        }
      }
      isWhole(name);
    }
  }
}
