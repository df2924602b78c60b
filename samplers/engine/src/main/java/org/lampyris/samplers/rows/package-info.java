/** Rows drawn before θ, as events, and the states that rows carry. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.rows;
