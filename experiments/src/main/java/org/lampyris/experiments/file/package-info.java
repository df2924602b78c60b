/** The files of this folder: what is run, and what is claimed. */
@NullMarked
package org.lampyris.experiments.file;

import org.jspecify.annotations.NullMarked;
