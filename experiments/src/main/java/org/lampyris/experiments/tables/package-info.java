/** Jobs of many tables, run one after the other: what defaults come to, and what others would. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.tables;
