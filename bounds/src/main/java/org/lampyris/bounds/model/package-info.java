/** Likelihoods of a row and their derivatives. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.model;
