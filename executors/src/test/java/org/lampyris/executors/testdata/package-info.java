/** Tables, Spark contexts and cases that tests of executors share. */
@NullMarked
package org.lampyris.executors.testdata;

import org.jspecify.annotations.NullMarked;
