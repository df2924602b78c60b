/** Densities of rows without a response: normal mixtures, and independent components. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.density;
