/** Effects of groups on their way from the sampler to the files. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.effects;
