/** Tests of the launcher script. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.launch;
