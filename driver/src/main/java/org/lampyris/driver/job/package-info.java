/** The steps of a job, sampling, and checkpoints. */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.job;
