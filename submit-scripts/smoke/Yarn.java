import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;

/**
 * A resource manager and two node managers in this process, until its standard input ends. Their
 * configuration is {@code conf/yarn-site.xml} in the folder that is given.
 */
final class Yarn {
  private static final int REGISTRATION_MILLIS = 600_000;

  private Yarn() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]).toAbsolutePath();
    System.setProperty("test.build.data", folder.resolve("yarn").toString());
    YarnConfiguration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
    conf.set("yarn.nodemanager.pmem-check-enabled", "false");
    conf.set("yarn.nodemanager.disk-health-checker.enable", "false");
    conf.set("yarn.scheduler.minimum-allocation-mb", "256");
    conf.set(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class.getName());
    try (MiniYARNCluster cluster = new MiniYARNCluster("lampyris", 2, 1, 1)) {
      cluster.init(conf);
      cluster.start();
      if (!cluster.waitForNodeManagersToConnect(REGISTRATION_MILLIS)) {
        throw new IllegalStateException("the node managers do not register");
      }
      Path site = Files.createDirectories(folder.resolve("conf")).resolve("yarn-site.xml");
      try (OutputStream out = Files.newOutputStream(site)) {
        cluster.getConfig().writeXml(out);
      }
      System.out.println("ready");
      int unused = System.in.read();
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
    }
    System.exit(0); // threads of the cluster remain
  }
}
