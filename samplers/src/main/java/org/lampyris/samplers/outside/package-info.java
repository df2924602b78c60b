/** What makes kernels that hold in a ball about the mode exact everywhere. */
@NullMarked
package org.lampyris.samplers.outside;

import org.jspecify.annotations.NullMarked;
