/** The files of this folder: what is run, and what is claimed. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.file;
