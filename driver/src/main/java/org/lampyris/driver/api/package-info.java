/** Lampyris called from a program: a regression on a Spark table, and what comes of it. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.api;
