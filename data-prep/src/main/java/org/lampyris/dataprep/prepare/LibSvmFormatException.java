package org.lampyris.dataprep.prepare;

/** Thrown by a task that meets a line which is not LibSVM; the driver then looks for its number. */
final class LibSvmFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LibSvmFormatException(String message) {
    super(message);
  }
}
