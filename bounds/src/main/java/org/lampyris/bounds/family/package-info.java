/** Families by name: from a configuration's words to a model and its lower bound. */
@NullMarked
package org.lampyris.bounds.family;

import org.jspecify.annotations.NullMarked;
