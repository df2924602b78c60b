/** Reference values for tests. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds;
