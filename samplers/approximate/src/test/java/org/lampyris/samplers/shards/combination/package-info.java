/** What combinations of subposteriors come to. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.shards.combination;
