/** Tests of whole samplers against the joint distribution of parameters and data. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.validation;
