/**
 * Lampyris as a data source of Spark SQL: writing a table fits it, and reading shows the posterior.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.source;
