/** Tests of the experiments. */
@NullMarked
package org.lampyris.driver.reproduce;

import org.jspecify.annotations.NullMarked;
