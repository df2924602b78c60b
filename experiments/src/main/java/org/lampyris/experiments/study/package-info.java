/** What experiments measure. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.study;
