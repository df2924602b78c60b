/** Tables that tests share. */
@NullMarked
package org.lampyris.samplers.testdata;

import org.jspecify.annotations.NullMarked;
