/** Likelihoods of a row and their derivatives. */
@NullMarked
package org.lampyris.bounds.model;

import org.jspecify.annotations.NullMarked;
