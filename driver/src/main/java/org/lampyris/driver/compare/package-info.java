/** Output folders side by side: what {@code compare} computes, prints and writes. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.compare;
