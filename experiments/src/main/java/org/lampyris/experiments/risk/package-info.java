/** How fast estimates come near the truth. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.risk;
