/** The programs of the paper that brought them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.paper;
