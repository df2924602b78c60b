# Six tables with posterior draws, and the effects that emmeans or R itself computes from them:
# driver/src/test/resources/questions/effects-*.csv, read by MarginalIT. Effects at a typical row
# are also held against conditional_effects of brms, from the same draws.
# Rscript effects.R <folder>, with R 4.2.2, emmeans 1.8.4, coda 0.19, lme4 1.1-31, nnet, MASS,
# brms 2.18.0, rstan 2.21.7.
library(emmeans)
library(coda)
suppressMessages(library(brms))
folder <- commandArgs(TRUE)[1]
options(digits = 17)
set.seed(146)
n <- 240
figures <- function(kind, column, value, against, d, output = "") {
  data.frame(kind, column, value, against, output, mean = mean(d), sd = sd(d),
    lower = quantile(d, 0.05), upper = quantile(d, 0.95))
}
save <- function(table, name) {
  table[] <- lapply(table, function(x) if (is.numeric(x)) sprintf("%.17g", x) else x)
  write.csv(table, file.path(folder, name), row.names = FALSE, quote = FALSE)
}
draw <- function(fit, names, size = 200) {
  z <- matrix(rnorm(size * length(names)), size)
  d <- sweep(z %*% chol(vcov(fit)), 2, coef(fit), "+")
  colnames(d) <- names
  d
}
drawn <- function(d, name) {
  half <- nrow(d) / 2
  comma <- grepl(",", colnames(d))
  colnames(d)[comma] <- sprintf('"%s"', colnames(d)[comma])
  save(cbind(data.frame(.chain = rep(1:2, each = half), .iteration = rep(seq_len(half), 2),
    .draw = seq_len(nrow(d))), as.data.frame(d)), name)
}
# Returns a brmsfit whose draws are given, with the names that its Stan program has: by a file as of
# CmdStan's and the backend "mock". Nothing is compiled or sampled.
brms_of <- function(formula, family, table, draws, names) {
  seed <- .Random.seed
  on.exit(.Random.seed <<- seed)
  csv <- tempfile(fileext = ".csv")
  sampler <- c("lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__",
    "divergent__", "energy__")
  rows <- apply(cbind(0, 1, 1, 1, 1, 0, 0, unname(draws)), 1, function(r) {
    paste(sprintf("%.17g", r), collapse = ",")
  })
  writeLines(c(paste("#", c("stan_version_major = 2", "stan_version_minor = 21",
    "stan_version_patch = 0", "model = m", "method = sample (Default)", "sample",
    paste("num_samples =", nrow(draws)), "num_warmup = 0", "save_warmup = 0", "thin = 1",
    "adapt", "engaged = 1", "algorithm = hmc (Default)", "engine = nuts (Default)",
    "max_depth = 10 (Default)", "metric = diag_e (Default)", "stepsize = 1", "id = 1",
    "seed = 1")), paste(c(sampler, names), collapse = ","), "# Adaptation terminated",
    "# Step size = 1", "# Diagonal elements of inverse mass matrix:", "# 1", rows), csv)
  stan <- suppressWarnings(rstan::read_stan_csv(csv))
  brm(formula, table, family, backend = "mock", mock_fit = stan, chains = 1, warmup = 0,
    iter = nrow(draws))
}
# Stops unless expected responses at a typical row, one, are those of conditional_effects.
held_by_brms <- function(fit, expected, one, classes = FALSE) {
  expected <- expected[expected$kind == "expected", ]
  for (name in unique(expected$column)) {
    ours <- expected[expected$column == name, ]
    theirs <- conditional_effects(fit, name, conditions = one[setdiff(names(one), name)],
      robust = FALSE, prob = 0.9, categorical = classes,
      resolution = if (classes) sum(ours$output == ours$output[1]) else nrow(ours))[[1]]
    if (classes) {
      ours <- ours[order(ours$output, seq_len(nrow(ours))), ]
      theirs <- theirs[order(theirs$cats__, seq_len(nrow(theirs))), ]
    }
    stopifnot(all(as.character(theirs$effect1__) == ours$value) ||
      all.equal(as.numeric(as.character(theirs$effect1__)), as.numeric(ours$value)))
    for (figure in list(c("mean", "estimate__"), c("sd", "se__"), c("lower", "lower__"),
      c("upper", "upper__"))) {
      stopifnot(all.equal(ours[[figure[1]]], as.vector(theirs[[figure[2]]]), tolerance = 1e-9))
    }
    cat("brms", class(fit$formula)[1], name, nrow(ours), "\n")
  }
}

# 1. Logistic, a factor that multiplies a function of a number: emmeans, and derivatives by hand.
t1 <- data.frame(d = round(exp(rnorm(n)), 4), f = sample(c("a", "b", "c"), n, TRUE),
  h = round(rnorm(n, 12, 4), 3))
t1$y <- rbinom(n, 1, plogis(-0.5 + 0.6 * log(t1$d) + 0.8 * (t1$f == "c") + 0.02 * (t1$h - 12)^2 -
  0.3 * log(t1$d) * (t1$f == "b")))
t1[] <- lapply(t1, function(x) if (is.numeric(x)) as.numeric(sprintf("%.10g", x)) else x)
fit <- glm(y ~ log(d) * f + h + I(h^2), binomial, t1)
# The order of R's columns: main effects first, products last.
names1 <- c("(Intercept)", "log(d)", "f[b]", "f[c]", "h", "I(h^2)", "log(d):f[b]", "log(d):f[c]")
b <- draw(fit, names(coef(fit)))
rg <- qdrg(~ log(d) * f + h + I(h^2), data = t1, mcmc = b, link = "logit")
out <- list()
add <- function(...) out[[length(out) + 1]] <<- figures(...)
p <- plogis(as.matrix(as.mcmc(emmeans(rg, ~ f))))
for (k in 1:3) add("expected", "f", c("a", "b", "c")[k], "", p[, k])
for (i in 1:2) for (j in (i + 1):3) {
  add("contrast", "f", c("a", "b", "c")[j], c("a", "b", "c")[i], p[, j] - p[, i])
}
grid <- seq(min(t1$d), max(t1$d), length.out = 5)
along <- qdrg(~ log(d) * f + h + I(h^2), data = t1, mcmc = b, link = "logit",
  at = list(d = grid, f = "a"))
p <- plogis(as.matrix(as.mcmc(emmeans(along, ~ d))))
for (k in 1:5) add("expected", "d", grid[k], "", p[, k])
# The derivatives at the means, and averaged over the rows.
typical <- data.frame(d = mean(t1$d), f = "a", h = mean(t1$h))
slopes <- function(rows) {
  x <- model.matrix(~ log(d) * factor(f, c("a", "b", "c")) + h + I(h^2), rows)
  eta <- x %*% t(b)
  by <- function(level) (rows$f == level) %o% rep(1, nrow(b))
  inner <- outer(rep(1, nrow(rows)), b[, 2]) + sweep(by("b"), 2, b[, 7], "*") +
    sweep(by("c"), 2, b[, 8], "*")
  list(d = colMeans(dlogis(eta) * inner / rows$d),
    h = colMeans(dlogis(eta) * (outer(rep(1, nrow(rows)), b[, 5]) + 2 * outer(rows$h, b[, 6]))))
}
add("slope", "d", "", "", slopes(typical)$d)
add("slope", "h", "", "", slopes(typical)$h)
save(do.call(rbind, out), "effects-1-means.csv")
held_by_brms(brms_of(y ~ log(d) * f + h + I(h^2), bernoulli(), t1, b,
  c("b_Intercept", sprintf("b.%d", 1:7))), do.call(rbind, out), typical)
out <- list()
means <- lapply(c("a", "b", "c"), function(level) {
  x <- model.matrix(~ log(d) * factor(f, c("a", "b", "c")) + h + I(h^2), transform(t1, f = level))
  colMeans(plogis(x %*% t(b)))
})
for (k in 1:3) add("expected", "f", c("a", "b", "c")[k], "", means[[k]])
add("contrast", "f", "b", "a", means[[2]] - means[[1]])
add("contrast", "f", "c", "a", means[[3]] - means[[1]])
add("slope", "d", "", "", slopes(t1)$d)
add("slope", "h", "", "", slopes(t1)$h)
save(do.call(rbind, out), "effects-1-rows.csv")
save(t1, "effects-1-table.csv")
colnames(b) <- names1
drawn(b, "effects-1-draws.csv")

# 2. Poisson with an offset, two factors and a polynomial, without a formula of Lampyris's own
# for the offset: model.offset.
t2 <- data.frame(g = sample(c("u", "v"), n, TRUE), k = sample(1:3, n, TRUE), x = round(rnorm(n), 4),
  e = round(log(runif(n, 1, 9)), 4))
t2$y <- rpois(n, exp(0.2 + 0.4 * (t2$g == "v") - 0.3 * (t2$k == 3) + 0.5 * t2$x + t2$e))
fit <- glm(y ~ g + factor(k) + x, poisson, t2, offset = e)
names2 <- c("(Intercept)", "g[v]", "k[2]", "k[3]", "x")
b <- draw(fit, names(coef(fit)))
at <- function(g, k, x) {
  exp(b %*% c(1, g == "v", k == 2, k == 3, x) + mean(t2$e))[, 1]
}
out <- list()
m <- mean(t2$x)
for (g in c("u", "v")) add("expected", "g", g, "", at(g, 1, m))
add("contrast", "g", "v", "u", at("v", 1, m) - at("u", 1, m))
for (k in 1:3) add("expected", "k", k, "", at("u", k, m))
for (k in 2:3) add("contrast", "k", k, 1, at("u", k, m) - at("u", 1, m))
add("contrast", "k", 3, 2, at("u", 3, m) - at("u", 2, m))
add("slope", "x", "", "", at("u", 1, m) * b[, 5])
save(do.call(rbind, out), "effects-2-means.csv")
held_by_brms(brms_of(y ~ g + k + x + offset(e), poisson(), transform(t2, k = factor(k)), b,
  c("b_Intercept", sprintf("b.%d", 1:4))), do.call(rbind, out),
  data.frame(g = "u", k = "1", x = m, e = mean(t2$e)))
save(t2, "effects-2-table.csv")
colnames(b) <- names2
drawn(b, "effects-2-draws.csv")

# 3 to 6. Effects by R's model matrix of changed rows, at each draw. At the estimate they are held
# against emmeans.
#   x(rows): the model matrix; response(x, draws): by outputs, rows x draws; w: weights of the rows.
set <- function(rows, name, value) {
  rows[[name]] <- value
  rows
}
effects <- function(x, draws, response, rows, w, factors, numbers, table) {
  expected <- function(rows) {
    lapply(response(x(rows), draws), function(m) colSums(w * m) / sum(w))
  }
  out <- list()
  put <- function(kind, column, value, against, of) {
    for (k in names(of)) {
      out[[length(out) + 1]] <<- figures(kind, column, value, against, of[[k]], k)
    }
  }
  minus <- function(a, b, by = 1) Map(function(a, b) (a - b) / by, a, b)
  for (f in names(factors)) {
    levels <- factors[[f]]
    means <- lapply(levels, function(level) expected(set(rows, f, factor(level, levels))))
    for (i in seq_along(levels)) put("expected", f, levels[i], "", means[[i]])
    for (i in seq_along(levels)) for (j in seq_along(levels)) if (j > i) {
      put("contrast", f, levels[j], levels[i], minus(means[[j]], means[[i]]))
    }
  }
  for (name in numbers) {
    for (value in seq(min(table[[name]]), max(table[[name]]), length.out = 3)) {
      put("expected", name, value, "", expected(set(rows, name, value)))
    }
    # Richardson's extrapolation of central differences.
    slope <- function(h) {
      move <- function(by) expected(set(rows, name, rows[[name]] + by))
      minus(move(h), move(-h), 2 * h)
    }
    h <- 2e-3 * sd(table[[name]])
    put("slope", name, "", "", Map(function(a, b) (4 * b - a) / 3, slope(h), slope(h / 2)))
  }
  do.call(rbind, out)
}
matrix_of <- function(fit) {
  terms <- delete.response(terms(fit))
  xlev <- .getXlevels(terms, model.frame(fit))
  function(rows) model.matrix(terms, model.frame(terms, rows, xlev = xlev))
}
# Numbers at their means over the rows, weights or not, as in emmeans and brms.
typical <- function(table, factors, numbers) {
  one <- lapply(factors, function(levels) factor(levels[1], levels))
  one[numbers] <- lapply(numbers, function(name) mean(table[[name]]))
  as.data.frame(one)
}
# Means of emmeans, of a factor or of the classes by a factor, with all other columns as in a row.
means <- function(fit, of, one, ...) {
  at <- lapply(one[setdiff(names(one), of)], function(v) if (is.factor(v)) as.character(v) else v)
  s <- as.data.frame(summary(emmeans(fit, of, at = at, ...)))
  s[[intersect(c("emmean", "prob"), names(s))]]
}
both <- function(k, fit, estimate, draws, names, response, factors, numbers, table, w, emm, brms) {
  x <- matrix_of(fit)
  one <- typical(table, factors, numbers)
  for (f in names(factors)) {
    e <- effects(x, rbind(estimate, estimate), response, one, 1, factors[f], NULL, table)
    stopifnot(all.equal(e$mean[e$kind == "expected"], emm(f, one), tolerance = 1e-6))
  }
  e <- effects(x, draws, response, one, 1, factors, numbers, table)
  held_by_brms(brms(draws), e, one, length(unique(e$output)) > 1)
  save(e, sprintf("effects-%d-means.csv", k))
  save(effects(x, draws, response, table, w, factors, numbers, table),
    sprintf("effects-%d-rows.csv", k))
  colnames(draws) <- names
  drawn(draws, sprintf("effects-%d-draws.csv", k))
  save(table, sprintf("effects-%d-table.csv", k))
}
rounded <- function(t) {
  t[] <- lapply(t, function(v) if (is.numeric(v)) as.numeric(sprintf("%.10g", v)) else v)
  t
}
normal <- function(estimate, covariance, size = 200) {
  z <- matrix(rnorm(size * length(estimate)), size)
  sweep(z %*% chol(covariance), 2, estimate, "+")
}
abc <- c("a", "b", "c")

# 3. Gaussian with weights, a product of factors, a polynomial and natural splines.
library(splines)
t3 <- rounded(data.frame(f = sample(abc, n, TRUE), g = sample(c("u", "v"), n, TRUE),
  x = round(rnorm(n, 3, 2), 3), z = round(runif(n, 0, 10), 3), w = sample(1:4, n, TRUE) / 2))
t3$y <- round(1 + 0.5 * (t3$f == "b") - (t3$f == "c") * (t3$g == "v") + 0.1 * t3$x^2 +
  sin(t3$z) + rnorm(n) / sqrt(t3$w), 4)
fit <- lm(y ~ f * g + poly(x, 2) + ns(z, 3), t3, weights = w)
e3 <- coef(fit)
sigma3 <- exp(qnorm(ppoints(200), 0, 0.05)) # which expected responses do not depend on
both(3, fit, c(e3, 1), cbind(normal(e3, vcov(fit)), sigma3),
  c("(Intercept)", "f[b]", "f[c]", "g[v]", "poly(x, 2)1", "poly(x, 2)2", "ns(z, 3)1",
    "ns(z, 3)2", "ns(z, 3)3", "f[b]:g[v]", "f[c]:g[v]", "sigma"),
  function(x, b) list(" " = x %*% t(b[, 1:11])), list(f = abc, g = c("u", "v")), c("x", "z"), t3,
  t3$w, function(f, one) means(fit, f, one),
  function(b) brms_of(y | weights(w) ~ f * g + poly(x, 2) + ns(z, 3), gaussian(), t3, b,
    c("b_Intercept", sprintf("b.%d", 1:10), "sigma")))

# 4. Softmax of three classes.
t4 <- rounded(data.frame(f = sample(abc, n, TRUE), x = round(rnorm(n, 2), 4)))
e4 <- cbind(0, 0.4 + 0.7 * (t4$f == "b") - 0.3 * t4$x, -1 + (t4$f == "c") + 0.5 * t4$x)
t4$y <- factor(apply(exp(e4), 1, function(w) sample(c("p", "q", "r"), 1, prob = w)))
fit <- nnet::multinom(y ~ f + x, t4, trace = FALSE, reltol = 1e-14, maxit = 1000)
e4 <- as.vector(t(coef(fit)))
both(4, fit, e4, normal(e4, vcov(fit)),
  paste0(c("(Intercept)", "f[b]", "f[c]", "x"), rep(c("[q]", "[r]"), each = 4)),
  function(x, b) {
    q <- exp(x %*% t(b[, 1:4]))
    r <- exp(x %*% t(b[, 5:8]))
    list(p = 1 / (1 + q + r), q = q / (1 + q + r), r = r / (1 + q + r))
  }, list(f = abc), "x", t4, rep(1, n),
  function(f, one) means(fit, c("y", f), one, mode = "prob"),
  function(b) brms_of(y ~ f + x, categorical(), t4, b[, c(1, 5, 2:4, 6:8)],
    c("b_muq_Intercept", "b_mur_Intercept", sprintf("b_muq.%d", 1:3), sprintf("b_mur.%d", 1:3))))

# 5. Logistic with intercepts of groups, which effects leave out.
t5 <- rounded(data.frame(f = sample(abc, n, TRUE), x = round(rnorm(n), 4),
  g = sprintf("g%d", sample(1:15, n, TRUE))))
u <- setNames(rnorm(15), sprintf("g%d", 1:15))
t5$y <- rbinom(n, 1, plogis(-0.4 + 0.8 * t5$x * (1 + (t5$f == "b")) + 0.5 * (t5$f == "c") + u[t5$g]))
fit <- lme4::glmer(y ~ x * f + (1 | g), t5, binomial)
e5 <- lme4::fixef(fit)
both(5, fit, c(e5, 1), cbind(normal(e5, as.matrix(vcov(fit))), exp(rnorm(200, 0, 0.2))),
  c("(Intercept)", "x", "f[b]", "f[c]", "x:f[b]", "x:f[c]", "sd_g__Intercept"),
  function(x, b) list(" " = plogis(x %*% t(b[, 1:6]))), list(f = abc), "x", t5, rep(1, n),
  function(f, one) means(fit, f, one, type = "response"),
  function(b) brms_of(y ~ x * f + (1 | g), bernoulli(), t5, cbind(b, matrix(0, 200, 15)),
    c("b_Intercept", sprintf("b.%d", 1:5), "sd_1.1", sprintf("r_1_1.%d", 1:15))))

# 6. Ordinal, four classes.
t6 <- rounded(data.frame(f = sample(abc, n, TRUE), x = round(rnorm(n), 4)))
t6$y <- factor(findInterval(0.9 * t6$x - 0.8 * (t6$f == "b") + rlogis(n), c(-1, 0.3, 1.5)) + 1)
fit <- MASS::polr(y ~ f + x, t6, Hess = TRUE)
e6 <- c(coef(fit), fit$zeta)
d6 <- normal(e6, vcov(fit))
stopifnot(all(d6[, 4] < d6[, 5]), all(d6[, 5] < d6[, 6]))
both(6, fit, e6, d6,
  c("f[b]", "f[c]", "x", "Intercept[1]", "Intercept[2]", "Intercept[3]"),
  function(x, b) {
    eta <- x[, -1, drop = FALSE] %*% t(b[, 1:3])
    below <- lapply(4:6, function(k) plogis(sweep(-eta, 2, b[, k], "+")))
    setNames(list(below[[1]], below[[2]] - below[[1]], below[[3]] - below[[2]], 1 - below[[3]]), 1:4)
  }, list(f = abc), "x", t6, rep(1, n),
  function(f, one) means(fit, c("y", f), one, mode = "prob"),
  function(b) brms_of(y ~ f + x, cumulative(), transform(t6, y = ordered(y)),
    cbind(b[, c(4:6, 1:3)], 1),
    c(sprintf("b_Intercept.%d", 1:3), sprintf("b.%d", 1:3), "disc")))
