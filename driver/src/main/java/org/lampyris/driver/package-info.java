/** The program. */
@NullMarked
package org.lampyris.driver;

import org.jspecify.annotations.NullMarked;
