/** Lower bounds of likelihoods and their collapsed sums; Taylor proxies of likelihoods. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.bound;
