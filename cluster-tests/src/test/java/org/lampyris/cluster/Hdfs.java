package org.lampyris.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.jspecify.annotations.Nullable;

/** A name node and three data nodes in this process, that others reach over the loopback. */
final class Hdfs implements AutoCloseable {
  private static final int DATANODES = 3;

  private final MiniDFSCluster cluster;
  private final DistributedFileSystem files;
  private MiniDFSCluster.@Nullable DataNodeProperties lost;

  Hdfs(java.nio.file.Path folder) throws IOException {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    conf.setBoolean("dfs.permissions.enabled", true);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(DATANODES).build();
    cluster.waitActive();
    files = cluster.getFileSystem();
  }

  /** Returns where it is: {@code hdfs://127.0.0.1:port}. */
  String uri() {
    return cluster.getURI().toString();
  }

  /** Returns the file system itself. */
  FileSystem files() {
    return files;
  }

  void write(String path, String text) throws IOException {
    try (OutputStream out = files.create(new Path(path), true)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Copies a local folder. */
  void copy(java.nio.file.Path from, String to) throws IOException {
    files.copyFromLocalFile(new Path(from.toUri()), new Path(to));
  }

  String read(String path) throws IOException {
    try (InputStream in = files.open(new Path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  boolean exists(String path) throws IOException {
    return files.exists(new Path(path));
  }

  /** Removes a folder, if it is there. */
  void remove(String path) throws IOException {
    boolean unused = files.delete(new Path(path), true);
  }

  /** Returns the names in a folder, sorted; none if it is not there. */
  List<String> names(String path) throws IOException {
    List<String> names = new ArrayList<>();
    if (exists(path)) {
      for (FileStatus status : files.listStatus(new Path(path))) {
        names.add(status.getPath().getName());
      }
    }
    names.sort(null);
    return names;
  }

  /** Lets a folder take so many bytes, all replicas counted, beyond what it has. */
  void leaveRoom(String path, long bytes) throws IOException {
    files.mkdirs(new Path(path));
    long taken = files.getContentSummary(new Path(path)).getSpaceConsumed();
    files.setQuota(new Path(path), HdfsConstants.QUOTA_DONT_SET, taken + bytes);
  }

  /** Lets a folder take no more files and folders than it has. */
  void leaveNoNames(String path) throws IOException {
    ContentSummary taken = files.getContentSummary(new Path(path));
    files.setQuota(
        new Path(path),
        taken.getFileCount() + taken.getDirectoryCount(),
        HdfsConstants.QUOTA_DONT_SET);
  }

  /** Lets a folder take all there is again. */
  void leaveAllRoom(String path) throws IOException {
    files.setQuota(new Path(path), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
  }

  /** Returns the paths of all that is in a folder, at any depth, sorted. */
  List<String> tree(String path) throws IOException {
    List<String> all = new ArrayList<>();
    if (exists(path)) {
      for (FileStatus status : files.listStatus(new Path(path))) {
        String one = path + "/" + status.getPath().getName();
        all.add(one);
        if (status.isDirectory()) {
          all.addAll(tree(one));
        }
      }
    }
    all.sort(null);
    return all;
  }

  /** Stops a data node, and with it a replica of each block. */
  void loseDatanode() {
    lost = Objects.requireNonNull(cluster.stopDataNode(0));
  }

  /** Starts the data node again that was stopped. */
  void findDatanode() throws IOException {
    cluster.restartDataNode(Objects.requireNonNull(lost));
    cluster.waitActive();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
