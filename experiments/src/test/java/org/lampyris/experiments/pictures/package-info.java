/** Tests of the pictures. */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.pictures;
