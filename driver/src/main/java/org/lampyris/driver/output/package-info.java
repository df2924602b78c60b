/** What a run leaves behind: draws, statistics, summary and manifest, and how they are shown. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.output;
