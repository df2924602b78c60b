/**
 * Configuration sections that each module reads for itself: checked keys, positions of values, and
 * errors that the user can mend.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.config;
