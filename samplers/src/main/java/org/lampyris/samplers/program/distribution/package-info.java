/** The distributions that programs draw from. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.distribution;
