/** What commands are made of, those outside of this module included. */
@NullMarked
package org.lampyris.driver.command;

import org.jspecify.annotations.NullMarked;
