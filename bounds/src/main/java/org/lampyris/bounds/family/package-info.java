/**
 * Families by name: from a configuration's words to a model and its lower bound. Each family has a
 * folder of its own below.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family;
