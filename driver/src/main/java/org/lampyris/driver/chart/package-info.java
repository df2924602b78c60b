/** Charts as SVG. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.chart;
