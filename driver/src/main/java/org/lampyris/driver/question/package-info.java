/** Questions to the draws of a run: quantities of its parameters, and hypotheses about them. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.question;
