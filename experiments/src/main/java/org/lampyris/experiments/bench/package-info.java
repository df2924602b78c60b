/** The command bench: figures of samplers on tables, and what is claimed of them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.bench;
