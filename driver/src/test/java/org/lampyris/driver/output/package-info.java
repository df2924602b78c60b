@org.jspecify.annotations.NullMarked
package org.lampyris.driver.output;
