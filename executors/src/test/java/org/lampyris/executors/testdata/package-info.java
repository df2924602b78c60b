/** Tables, Spark contexts and cases that tests of executors share. */
@org.jspecify.annotations.NullMarked
package org.lampyris.executors.testdata;
