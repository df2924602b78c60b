/** Random streams that are keyed by what they are for, never by where they run. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.random;
