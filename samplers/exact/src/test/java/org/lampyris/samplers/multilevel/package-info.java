/** Tests of what rows do for random effects. */
package org.lampyris.samplers.multilevel;
