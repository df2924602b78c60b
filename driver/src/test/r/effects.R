# Two tables with posterior draws, and the effects that emmeans or R itself computes from them:
# driver/src/test/resources/questions/effects-*.csv, read by MarginalIT.
# Rscript effects.R <folder>, with R 4.2.2, emmeans 1.8.4, coda 0.19.
library(emmeans)
library(coda)
folder <- commandArgs(TRUE)[1]
options(digits = 17)
set.seed(146)
n <- 240
figures <- function(kind, column, value, against, d) {
  data.frame(kind, column, value, against, mean = mean(d), sd = sd(d),
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
  save(cbind(data.frame(.chain = rep(1:2, each = half), .iteration = rep(seq_len(half), 2),
    .draw = seq_len(nrow(d))), as.data.frame(d)), name)
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
save(t2, "effects-2-table.csv")
colnames(b) <- names2
drawn(b, "effects-2-draws.csv")
