/** The search for the mode. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.mode;
