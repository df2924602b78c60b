/** What commands are made of, those outside of this module included. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.command;
