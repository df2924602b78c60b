/** Sequential tests: decisions by batches that grow until they are sure enough. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.sequential;
