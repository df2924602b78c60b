/** Firefly's rows and their brightness on the executors. */
@NullMarked
package org.lampyris.executors.firefly;

import org.jspecify.annotations.NullMarked;
