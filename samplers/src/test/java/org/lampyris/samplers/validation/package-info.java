/** Tests of whole samplers against the joint distribution of parameters and data. */
@NullMarked
package org.lampyris.samplers.validation;

import org.jspecify.annotations.NullMarked;
