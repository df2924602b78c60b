/** Cumulative logit regression of classes in an order: its likelihood. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.ordinal;
