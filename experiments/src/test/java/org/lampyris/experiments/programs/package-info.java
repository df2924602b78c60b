@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.programs;
