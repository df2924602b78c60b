/** The real command line with the real steps, from a file to an output folder. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.predict;
