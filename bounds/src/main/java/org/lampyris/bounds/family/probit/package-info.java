/** Probit regression of two classes: its likelihood. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.family.probit;
