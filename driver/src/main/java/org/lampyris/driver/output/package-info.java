/** What a run leaves behind: draws, statistics, summary and manifest, and how they are shown. */
@NullMarked
package org.lampyris.driver.output;

import org.jspecify.annotations.NullMarked;
