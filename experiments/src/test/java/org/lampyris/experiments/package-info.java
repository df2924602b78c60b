/** Tests of the experiments as a module. */
@NullMarked
package org.lampyris.experiments;

import org.jspecify.annotations.NullMarked;
