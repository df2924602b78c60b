/**
 * The configuration as each module reads its own section of it: sections with checked keys, where
 * each value was written, and errors that the user can mend.
 */
@NullMarked
package org.lampyris.bounds.config;

import org.jspecify.annotations.NullMarked;
