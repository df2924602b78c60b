/** The report of a run: one page to read in the morning. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.report;
