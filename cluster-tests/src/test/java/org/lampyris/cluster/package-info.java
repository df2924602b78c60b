/**
 * The shipped jar, submitted by the launcher to a standalone Spark cluster with HDFS, and faults.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.cluster;
