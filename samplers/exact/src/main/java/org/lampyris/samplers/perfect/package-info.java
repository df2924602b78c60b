/** Perfect draws: independent and exact, by rejection from an envelope, with the evidence. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.perfect;
