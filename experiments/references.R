# Writes <name>.reference.csv beside every job that tables.R has written: means and sds of the
# posterior that Lampyris' documentation promises, by importance sampling with R's own densities
# from a multivariate t about the mode, and their Monte-Carlo errors. Jobs whose Pareto k (package
# loo) is 0.7 or more, or that have more than so many rows, are left out, with a line.
# Usage: Rscript references.R <folder> [most rows]
suppressPackageStartupMessages(library(loo))
arguments <- commandArgs(TRUE)
folder <- arguments[1]
most <- if (length(arguments) > 1) as.numeric(arguments[2]) else 2500
draws <- 40000
set.seed(1)

half_cauchy <- function(x, s) log(2) + dcauchy(x, 0, s, log = TRUE)

reference <- function(name) {
  job <- paste(readLines(file.path(folder, paste0(name, ".yaml"))), collapse = "\n")
  key <- function(what) {
    found <- regmatches(job, regexec(paste0(what, ": *([^,}\n]+)"), job))[[1]]
    if (length(found)) found[2] else NA
  }
  table <- read.csv(file.path(folder, paste0(name, ".csv")), stringsAsFactors = FALSE,
                    na.strings = c("", "NA"), check.names = FALSE, colClasses = NA)
  table <- na.omit(table)
  if (nrow(table) > most) return(cat(name, ": ", nrow(table), " rows\n", sep = ""))
  family <- key("family"); label <- key("label"); trials <- key("trials"); offset <- key("offset")
  y <- table[[label]]
  o <- if (is.na(offset)) 0 else table[[offset]]
  columns <- setdiff(names(table), c(label, trials, offset))
  X <- do.call(cbind, lapply(columns, function(column) {
    v <- table[[column]]
    if (is.numeric(v)) return(matrix(v, dimnames = list(NULL, column)))
    v <- as.character(v)
    levels <- sort(unique(v), method = "radix")[-1]
    m <- vapply(levels, function(level) as.numeric(v == level), numeric(nrow(table)))
    matrix(m, nrow(table), dimnames = list(NULL, sprintf("%s[%s]", column, levels)))
  }))
  n <- nrow(X); p <- ncol(X)
  centre <- colMeans(X); spread <- apply(X, 2, sd)
  Z <- sweep(sweep(X, 2, centre), 2, spread, "/")
  response <- family %in% c("gaussian", "robust")
  s <- if (response) sd(y) else 1
  m <- if (response) mean(y) else if (family %in% c("gamma", "poisson", "negative_binomial") && is.na(offset)) log(mean(y)) else 0
  classes <- 2
  if (family %in% c("logistic", "probit")) {
    values <- sort(unique(y), method = "radix"); y <- as.numeric(y == values[2])
  } else if (family == "softmax") {
    values <- sort(unique(as.character(y)), method = "radix")
    counts <- table(factor(as.character(y), values))
    base <- values[which.max(counts)]
    others <- setdiff(values, base); classes <- length(values)
    y <- match(as.character(y), c(others, base))
  } else if (family == "ordinal") {
    values <- trimws(strsplit(regmatches(job, regexec("order: \\[([^]]*)\\]", job))[[1]][2], ",")[[1]])
    classes <- length(values); y <- match(y, values)
  }
  # Coordinates: intercept at the centre, coefficients of Z; then what a family adds.
  predictors <- if (family == "softmax") classes - 1 else 1
  d <- predictors * (p + 1)
  own <- switch(family, gaussian = , robust = , gamma = , negative_binomial = , beta = 1,
                ordinal = classes - 2, 0)
  eta_of <- function(theta, k) {  # rows x draws
    at <- (k - 1) * (p + 1)
    t(theta[, at + 1] + tcrossprod(theta[, at + 1 + seq_len(p), drop = FALSE], Z)) + o
  }
  log_posterior <- function(theta) {
    theta <- matrix(theta, ncol = d + own)
    value <- numeric(nrow(theta))
    for (k in seq_len(predictors)) {
      at <- (k - 1) * (p + 1)
      value <- value + dnorm(theta[, at + 1], m, 2.5 * s, log = TRUE) +
        rowSums(dnorm(theta[, at + 1 + seq_len(p), drop = FALSE], 0, 2.5 * s, log = TRUE))
    }
    eta <- eta_of(theta, 1)
    extra <- if (own) theta[, d + seq_len(own), drop = FALSE] else NULL
    scale <- if (own) exp(extra[, 1]) else NULL
    each <- function(v) rep(v, each = n)
    value + switch(family,
      logistic = colSums(plogis((2 * y - 1) * eta, log.p = TRUE)),
      probit = colSums(pnorm((2 * y - 1) * eta, log.p = TRUE)),
      binomial = colSums(matrix(dbinom(y, table[[trials]], plogis(eta), log = TRUE), n)),
      poisson = colSums(matrix(dpois(y, exp(eta), log = TRUE), n)),
      gaussian = colSums(matrix(dnorm(y, eta, each(scale), log = TRUE), n)) + dexp(scale, 1 / s, log = TRUE) + extra[, 1],
      robust = colSums(matrix(dt((y - eta) / each(scale), 4, log = TRUE) - log(each(scale)), n)) + dexp(scale, 1 / s, log = TRUE) + extra[, 1],
      gamma = colSums(matrix(dgamma(y, each(scale), each(scale) / exp(eta), log = TRUE), n)) + dexp(scale, 1, log = TRUE) + extra[, 1],
      negative_binomial = colSums(matrix(dnbinom(y, each(scale), mu = exp(eta), log = TRUE), n)) + half_cauchy(scale, 10) + extra[, 1],
      beta = colSums(matrix(dbeta(y, plogis(eta) * each(scale), plogis(-eta) * each(scale), log = TRUE), n)) + half_cauchy(scale, 10) + extra[, 1],
      softmax = {
        all <- c(lapply(seq_len(predictors), function(k) eta_of(theta, k)), list(0 * eta))
        top <- do.call(pmax, all)
        total <- top + log(Reduce(`+`, lapply(all, function(e) exp(e - top))))
        colSums(Reduce(`+`, Map(function(e, k) (y == k) * e, all, seq_along(all))) - total)
      },
      ordinal = {
        # The linear predictor has the minus sign of brms: P(class <= k) = plogis(cut_k - x'b).
        slope <- eta - rep(theta[, 1], each = n)
        cuts <- cbind(-Inf, theta[, 1], theta[, 1] + t(apply(exp(extra), 1, cumsum)), Inf)
        if (own == 1) cuts <- cbind(-Inf, theta[, 1], theta[, 1] + exp(extra[, 1]), Inf)
        colSums(matrix(log(plogis(matrix(t(cuts[, y + 1]), n) - slope) - plogis(matrix(t(cuts[, y]), n) - slope)), n)) +
          rowSums(dexp(exp(extra), 1, log = TRUE) + extra)
      })
  }
  start <- c(rep(c(m, rep(0, p)), predictors), rep(if (response) log(s / 2) else 0, own))
  fit <- optim(start, function(t) { v <- -log_posterior(t); if (is.finite(v)) v else 1e10 },
               method = "BFGS", control = list(maxit = 2000, reltol = 1e-12))
  covariance <- solve(optimHess(fit$par, function(t) -log_posterior(t)))
  L <- t(chol((covariance + t(covariance)) / 2)); D <- d + own; df <- 6
  raw <- matrix(rnorm(draws * D), D); mix <- sqrt(rchisq(draws, df) / df)
  theta <- t(fit$par + 1.1 * L %*% sweep(raw, 2, mix, "/"))
  squares <- colSums(raw^2) / mix^2
  proposal <- -0.5 * (df + D) * log1p(squares / df)
  chunk <- max(50, floor(4e6 / n))
  target <- unlist(lapply(split(seq_len(draws), ceiling(seq_len(draws) / chunk)),
                          function(i) log_posterior(theta[i, , drop = FALSE])))
  smoothed <- suppressWarnings(psis(target - proposal, r_eff = NA))
  k <- smoothed$diagnostics$pareto_k
  w <- exp(smoothed$log_weights - max(smoothed$log_weights)); w <- as.vector(w / sum(w))
  if (!is.finite(k) || k >= 0.7) return(cat(name, ": Pareto k ", k, "\n", sep = ""))
  # To the input's scale.
  out <- matrix(0, draws, 0); names <- character()
  for (j in seq_len(predictors)) {
    at <- (j - 1) * (p + 1)
    b <- sweep(theta[, at + 1 + seq_len(p), drop = FALSE], 2, spread, "/")
    shift <- as.vector(b %*% centre)
    intercept <- theta[, at + 1] - (if (family == "ordinal") -shift else shift)
    suffix <- if (family == "softmax") sprintf("[%s]", others[j]) else ""
    out <- cbind(out, intercept, b)
    names <- c(names, paste0(if (family == "ordinal") "Intercept[1]" else "(Intercept)", suffix), paste0(colnames(X), suffix))
  }
  if (family == "ordinal") {
    cut <- out[, 1]
    for (j in seq_len(own)) { cut <- cut + exp(theta[, d + j]); out <- cbind(out, cut); names <- c(names, sprintf("Intercept[%d]", j + 1)) }
  } else if (own) {
    out <- cbind(out, exp(theta[, d + 1]))
    names <- c(names, switch(family, gaussian = "sigma", robust = "scale", beta = "phi", "shape"))
  }
  mean <- colSums(w * out); centred <- sweep(out, 2, mean)
  var <- colSums(w * centred^2); sd <- sqrt(var)
  error <- sqrt(colSums(w^2 * centred^2))
  error_sd <- sqrt(colSums(w^2 * sweep(centred^2, 2, var)^2)) / (2 * sd)
  write.csv(data.frame(variable = names, mean, sd, mcse_mean = error, mcse_sd = error_sd),
            file.path(folder, paste0(name, ".reference.csv")), row.names = FALSE)
  cat(name, ": Pareto k ", round(k, 2), ", ", round(1 / sum(w^2)), " effective draws\n", sep = "")
}

for (file in sort(list.files(folder, "\\.yaml$"))) {
  name <- sub("\\.yaml$", "", file)
  tryCatch(reference(name), error = function(e) cat(name, ": ", conditionMessage(e), "\n", sep = ""))
}
