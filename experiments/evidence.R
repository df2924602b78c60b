# Log evidences of small models by R's package bridgesampling, for the tests of Lampyris' own.
# Writes <name>.csv, the table with standardised columns, and evidence.csv with each estimate and
# its standard deviation over ten repetitions with chains of their own.
# Posterior draws come from random-walk Metropolis in plain R, so nothing is shared with Lampyris.
# Likelihoods are R's densities: Lampyris has the same constants.
# Usage: Rscript evidence.R <folder>
suppressPackageStartupMessages(library(bridgesampling))
folder <- commandArgs(TRUE)[1]
set.seed(1)

walk <- function(log_posterior, start, scale, steps, thin) {
  theta <- start; at <- log_posterior(theta); kept <- matrix(0, steps / thin, length(start))
  for (i in seq_len(steps)) {
    proposal <- theta + scale %*% rnorm(length(start))
    value <- log_posterior(drop(proposal))
    if (log(runif(1)) < value - at) { theta <- drop(proposal); at <- value }
    if (i %% thin == 0) kept[i / thin, ] <- theta
  }
  kept
}

evidence <- function(name, table, names, log_posterior, steps) {
  write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  d <- length(names)
  fit <- optim(rep(0, d), log_posterior, method = "BFGS", hessian = TRUE,
               control = list(fnscale = -1, maxit = 1000))
  scale <- t(chol(solve(-fit$hessian + diag(1e-3, d)))) * 2.4 / sqrt(d)
  logs <- replicate(10, {
    first <- walk(log_posterior, fit$par, scale, steps, 10)
    scale <- t(chol(cov(first))) * 2.4 / sqrt(d)
    draws <- walk(log_posterior, first[nrow(first), ], scale, steps, 10)
    colnames(draws) <- names
    bridge_sampler(draws, log_posterior = function(theta, data) log_posterior(theta), data = NULL,
                   lb = setNames(rep(-Inf, d), names), ub = setNames(rep(Inf, d), names),
                   method = "warp3", silent = TRUE)$logml
  })
  data.frame(name = name, log_evidence = mean(logs), sd = sd(logs) / sqrt(length(logs)))
}

# Logistic: spontaneous and induced abortions before infertility. Priors normal(0, 2.5).
X <- cbind(1, scale(infert$spontaneous), scale(infert$induced), scale(infert$age))
y <- infert$case
logistic <- evidence(
  "infert", data.frame(y = 2 * y - 1, x1 = X[, 2], x2 = X[, 3], x3 = X[, 4]),
  c("b0", "b1", "b2", "b3"),
  function(b) sum(dbinom(y, 1, plogis(X %*% b), log = TRUE)) + sum(dnorm(b, 0, 2.5, log = TRUE)),
  20000)

# Poisson: breaks of warps. Priors normal(0, 2.5).
W <- cbind(1, scale(as.numeric(warpbreaks$wool == "B")), scale(as.numeric(warpbreaks$tension == "M")),
           scale(as.numeric(warpbreaks$tension == "H")))
counts <- warpbreaks$breaks
poisson <- evidence(
  "warpbreaks", data.frame(y = counts, x1 = W[, 2], x2 = W[, 3], x3 = W[, 4]),
  c("b0", "b1", "b2", "b3"),
  function(b) sum(dpois(counts, exp(W %*% b), log = TRUE)) + sum(dnorm(b, 0, 2.5, log = TRUE)),
  20000)

# Poisson with random intercepts: insects by spray. Prior normal(0, 2.5), sd half-normal(0, 1).
spray <- as.integer(InsectSprays$spray); insects <- InsectSprays$count
random <- evidence(
  "sprays", data.frame(y = insects, group = spray),
  c("b0", paste0("u", 1:6), "log_sd"),
  function(t) {
    sum(dpois(insects, exp(t[1] + t[1 + spray]), log = TRUE)) + dnorm(t[1], 0, 2.5, log = TRUE) +
      sum(dnorm(t[2:7], 0, exp(t[8]), log = TRUE)) +
      log(2) + dnorm(exp(t[8]), 0, 1, log = TRUE) + t[8]
  },
  40000)

all <- rbind(logistic, poisson, random)
write.csv(all, file.path(folder, "evidence.csv"), row.names = FALSE, quote = FALSE)
print(all, digits = 8)
