package org.lampyris.experiments.bench;

import java.util.Optional;

/**
 * A figure compared with its target.
 *
 * @param target the number of the target
 * @param what what was measured
 * @param figure the figure, in words
 * @param wanted what it should be
 * @param met whether it is; empty if it could not be measured
 */
public record Verdict(
    int target, String what, String figure, String wanted, Optional<Boolean> met) {}
