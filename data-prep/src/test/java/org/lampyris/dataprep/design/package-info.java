@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.design;
