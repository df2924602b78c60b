# Draws of many shapes, and what R's posterior says of them: the fixtures of DiagnosticsTest.
#
# Run from the module's folder:  Rscript src/test/r/diagnostics-fixtures.R
# Writes src/test/resources/org/lampyris/samplers/diagnostics/
#   draws/<case>.csv   a row for each iteration, a column for each chain
#   posterior.csv      case, measure, value
# Values have 17 significant digits, which is every bit. NA is written as NaN.
#
# Made with R 4.2.2, posterior 1.4.0, matrixStats 0.63.0, checkmate 2.1.0.
#
# Chains of two and three iterations are left out on purpose: posterior:::.split_chains drops a
# dimension there (x[1:1, ] of a matrix is a vector) and takes chains for iterations.

suppressPackageStartupMessages(library(posterior))
options(warn = 1)
stopifnot(packageVersion("posterior") == "1.4.0")
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

ar1 <- function(phi, iterations, chains = 4) {
  replicate(chains, as.vector(arima.sim(list(ar = phi), iterations, sd = sqrt(1 - phi^2))))
}
normal <- function(iterations, chains = 4) matrix(rnorm(iterations * chains), iterations)

# A chain of random-walk Metropolis on N(0, 1): runs of equal draws.
metropolis <- function(iterations, step) {
  x <- numeric(iterations)
  at <- rnorm(1)
  for (i in seq_len(iterations)) {
    to <- at + step * rnorm(1)
    if (log(runif(1)) < (at^2 - to^2) / 2) at <- to
    x[i] <- at
  }
  x
}

set.seed(20210601)
base <- normal(120)
replaced <- function(row, chain, value) {
  x <- base
  x[row, chain] <- value
  x
}
cases <- list(
  independent = normal(200),
  ar_0.5_odd = ar1(0.5, 201),
  ar_0.9 = ar1(0.9, 250),
  ar_0.99 = ar1(0.99, 250),
  ar_minus_0.3 = ar1(-0.3, 200),
  ar_minus_0.9_capped = ar1(-0.9, 200),
  alternating = matrix(rep(c(1, -1), 160), 80),
  antithetic = matrix(rep(c(1, -1), 160), 80) + 0.05 * normal(80),
  metropolis = replicate(4, metropolis(250, 2.4)),
  cauchy = matrix(rcauchy(800), 200),
  lognormal = exp(2 * ar1(0.6, 150)),
  poisson = matrix(rpois(600, 2), 150) + 0,
  binary = matrix(rbinom(600, 1, 0.3), 150) + 0,
  mostly_zero = matrix(rbinom(800, 1, 0.01) * rexp(800), 200),
  signed_zero = matrix(sample(c(-1, -0, 0, 1), 400, replace = TRUE), 100),
  other_mean = normal(150) + rep(c(0, 0, 0.5, 3), each = 150),
  other_scale = normal(150) * rep(c(1, 1, 1, 5), each = 150),
  drift = normal(150) + seq(0, 2, length.out = 150),
  random_walk = apply(normal(200), 2, cumsum),
  periodic = normal(128) + 2 * sin(seq_len(128) * 2 * pi / 16),
  far_from_zero = 1e8 + normal(120),
  large = 1e60 * normal(100),
  small = 1e-9 * normal(100),
  below_the_tolerance = 1e-17 * normal(60),
  squares_below_the_tolerance = 1e-12 * normal(60),
  constant = matrix(0.1, 50, 4),
  one_chain_constant = replace(base, cbind(1:120, 2), 0.7),
  each_chain_constant = matrix(rep(c(1.1, 2.3, 3.7, 5.1), each = 40), 40),
  one_chain = ar1(0.7, 300, 1),
  one_chain_odd = ar1(0.7, 101, 1),
  two_chains_odd = ar1(0.4, 101, 2),
  three_chains = ar1(0.4, 100, 3),
  many_chains = ar1(0.2, 16, 25),
  not_a_number = replaced(17, 3, NaN),
  infinite = replaced(17, 3, Inf),
  minus_infinite = replaced(17, 3, -Inf),
  tenth_infinite = replace(base, 1:48, Inf),
  single_draw = normal(1, 1),
  one_iteration = normal(1),
  one_chain_2 = normal(2, 1),
  one_chain_3 = normal(3, 1),
  few_4 = normal(4), few_5 = normal(5), few_6 = normal(6), few_7 = normal(7),
  few_8 = normal(8), few_10 = normal(10), few_11 = normal(11), few_12 = normal(12),
  few_13 = normal(13), few_14 = normal(14), few_15 = normal(15), few_16 = normal(16),
  # The sequence reaches the last lags with a pair whose even one is negative, its sum positive.
  last_even_negative = {
    set.seed(75)
    normal(15)
  }
)

probabilities <- c(0, 0.05, 0.5, 0.9, 1)
measures <- function(x) {
  summary <- summarise_draws(
    as_draws_array(array(x, c(dim(x), 1), list(NULL, NULL, "x"))),
    "mean", "median", "sd", "mad", "quantile2", "rhat", "ess_bulk", "ess_tail", "mcse_mean", "mcse_sd"
  )
  c(
    unlist(lapply(summary[-1], as.numeric)),
    ess_mean = ess_mean(x), ess_sd = ess_sd(x),
    setNames(ess_quantile(x, probabilities), paste0("ess_quantile_", probabilities)),
    setNames(mcse_quantile(x, probabilities), paste0("mcse_quantile_", probabilities))
  )
}
text <- function(x) {
  out <- sprintf("%.17g", x)
  out[is.na(x)] <- "NaN"
  out[x == Inf] <- "Infinity"
  out[x == -Inf] <- "-Infinity"
  out
}

folder <- "src/test/resources/org/lampyris/samplers/diagnostics"
unlink(folder, recursive = TRUE)
dir.create(file.path(folder, "draws"), recursive = TRUE)
expected <- do.call(rbind, lapply(names(cases), function(name) {
  x <- cases[[name]]
  writeLines(apply(array(text(x), dim(x)), 1, paste, collapse = ","), file.path(folder, "draws", paste0(name, ".csv")))
  value <- suppressWarnings(measures(x))
  data.frame(case = name, measure = names(value), value = text(value))
}))
write.csv(expected, file.path(folder, "posterior.csv"), row.names = FALSE, quote = FALSE)
