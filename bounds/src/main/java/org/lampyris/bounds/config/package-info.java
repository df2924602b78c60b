/**
 * The configuration as each module reads its own section of it: sections with checked keys, where
 * each value was written, and errors that the user can mend.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.config;
