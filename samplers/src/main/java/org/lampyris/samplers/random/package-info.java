/** Random streams that are keyed by what they are for, never by where they run. */
@NullMarked
package org.lampyris.samplers.random;

import org.jspecify.annotations.NullMarked;
