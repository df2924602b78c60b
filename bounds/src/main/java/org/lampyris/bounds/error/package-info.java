/** Errors that the user can mend. */
@NullMarked
package org.lampyris.bounds.error;

import org.jspecify.annotations.NullMarked;
