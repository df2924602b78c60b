/** Questions of several chains gathered into one job. */
@NullMarked
package org.lampyris.executors.batch;

import org.jspecify.annotations.NullMarked;
