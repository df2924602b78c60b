/** Tables that tests share. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.testdata;
