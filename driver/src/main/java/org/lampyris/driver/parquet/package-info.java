/** Parquet files of numbers, written and read in the driver without a Spark job. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.parquet;
