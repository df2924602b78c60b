/** Effects of groups of rows, and how those of a grouping vary together. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.effects;
