package org.lampyris.driver.run;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;

/**
 * The local file system under another scheme, which can be read but not written: what a full disk
 * or a folder of somebody else's looks like, even to a superuser.
 */
abstract class TroubledFileSystem extends RawLocalFileSystem {
  /** Called before anything is written. */
  abstract OutputStream refuse(Path path) throws IOException;

  @Override
  public abstract String getScheme();

  @Override
  public URI getUri() {
    return URI.create(getScheme() + ":///");
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return new FSDataOutputStream(refuse(path), null);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return create(path, overwrite, bufferSize, replication, blockSize, progress);
  }

  /** Folders can be made, and files begun, but no byte finds room. */
  public static final class Full extends TroubledFileSystem {
    @Override
    public String getScheme() {
      return "full";
    }

    @Override
    OutputStream refuse(Path path) {
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          throw new IOException("No space left on device");
        }
      };
    }
  }

  /** Nothing can be made. */
  public static final class Locked extends TroubledFileSystem {
    @Override
    public String getScheme() {
      return "locked";
    }

    @Override
    OutputStream refuse(Path path) throws IOException {
      throw new AccessControlException("Permission denied: user=somebody, access=WRITE, " + path);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
      refuse(path);
      return false;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
      return mkdirs(path);
    }
  }
}
