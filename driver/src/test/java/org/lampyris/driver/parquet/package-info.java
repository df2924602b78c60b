/** Tests of Parquet files of numbers. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.parquet;
