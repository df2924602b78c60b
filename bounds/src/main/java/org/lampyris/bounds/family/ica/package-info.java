/** Independent component analysis: the likelihood of an unmixing matrix. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.ica;
