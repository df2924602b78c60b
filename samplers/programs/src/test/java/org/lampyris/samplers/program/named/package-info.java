@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.named;
