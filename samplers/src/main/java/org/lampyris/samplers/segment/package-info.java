/**
 * Segments: many iterations of a chain made in one task, from pools of rows that were drawn before;
 * and the plan that chooses between them and one job an iteration.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.segment;
