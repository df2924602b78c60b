/** What makes kernels that hold in a region about the mode exact everywhere. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.outside;
