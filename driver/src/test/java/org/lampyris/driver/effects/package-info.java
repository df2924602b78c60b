/** Effects of groups, from the configuration to the files. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.effects;
