/** Tests of the jobs of many tables. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.tables;
