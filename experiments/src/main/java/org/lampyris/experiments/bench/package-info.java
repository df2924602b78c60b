/** Command bench: figures of samplers on tables, and claims about them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.bench;
