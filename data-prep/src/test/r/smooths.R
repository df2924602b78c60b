# Writes what mgcv makes of penalised smooths, as brms calls it (smoothCon with absorb.cons and
# diagonal.penalty, then smooth2random): src/test/resources/formula/smooths.csv, one line for each
# column of a matrix: the smooth, what it is, and the values. SmoothTest reads them. Run it in the
# module's folder: Rscript src/test/r/smooths.R
#
# Columns that share a scale are compared by Z Z', which neither signs nor rotations change; those
# without a penalty by themselves, or by the projection on them and 1.
suppressMessages(library(mgcv))

# mgcv takes the null space of a penalty in the rotation that LAPACK happens to find, and scales its
# two columns in that rotation; t2's groups of null space times penalised part depend on it. Here it
# is the constant and what is linear.
nat <- mgcv:::nat.param
environment(nat) <- list2env(
  list(eigen = function(S, symmetric) {
    er <- base::eigen(S, symmetric = TRUE)
    k <- ncol(S)
    if (nrow(S) > 2 && max(abs(S %*% rep(1, k))) < 1e-9) {
      line <- seq_len(k) - (k + 1) / 2
      er$vectors[, k - 1] <- 1 / sqrt(k)
      er$vectors[, k] <- line / sqrt(sum(line^2))
    }
    er
  }),
  parent = asNamespace("mgcv"))
assignInNamespace("nat.param", nat, "mgcv")

set.seed(5)
n <- 12
d <- data.frame(
  x = round(rexp(n) * 10, 2),
  z = round(rnorm(n), 3),
  f = factor(rep(c("a", "b c", "d"), 4)))
new <- data.frame(
  x = c(min(d$x) - 4, 5, max(d$x) + 0.001, max(d$x) + 7),
  z = c(0.3, max(d$z) + 2, -0.1, min(d$z) - 1),
  f = factor(c("a", "b c", "d", "a"), levels = levels(d$f)))

out <- c()
add <- function(smooth, what, m) {
  m <- as.matrix(m)
  for (j in seq_len(ncol(m))) {
    cells <- ifelse(m[, j] == 0, "0", sprintf("%.15g", m[, j]))
    out <<- c(out, paste(c(smooth, what, cells), collapse = ";"))
  }
}
projection <- function(X) tcrossprod(qr.Q(qr(X)))
# The constraint of t2 is one of the columns without a penalty, of which all four are taken here, the
# constant among them. scale.penalty divides all its penalised columns by the largest row sum, which
# is another unit of the standard deviations; here they have mean square 1 in each margin.
both <- function(sm, re, data) {
  if (inherits(sm, "t2.smooth")) return(Predict.matrix(sm, data))
  X <- PredictMat(sm, data)
  if (!is.null(re$trans.U)) X <- X %*% re$trans.U
  t(t(X) * re$trans.D)
}

add("rows", "x", d$x)
add("rows", "z", d$z)
out <- c(out, paste(c("rows", "f", as.character(d$f)), collapse = ";"))
add("new", "x", new$x)
add("new", "z", new$z)
out <- c(out, paste(c("new", "f", as.character(new$f)), collapse = ";"))

for (k in c(4, 7)) {
  sm <- smoothCon(s(x, bs = "ps", k = k), d)[[1]]
  add(paste0("s(x, k = ", k, ")"), "B", sm$X)
  add(paste0("s(x, k = ", k, ")"), "B new", Predict.matrix(sm, new))
}
for (text in c("s(x, k = 4)", "s(x, k = 7)", "s(x, k = 6, by = f)", "s(x, k = 6, by = z)", "t2(x, z, k = c(4, 6))")) {
  spec <- eval(parse(text = sub(")$", ", bs = \"ps\")", text)))
  for (sm in smoothCon(spec, d, absorb.cons = TRUE, diagonal.penalty = TRUE)) {
    re <- smooth2random(sm, names(d), type = 2)
    if (inherits(sm, "t2.smooth")) re$pen.ind <- c(re$pen.ind, 0)
    X <- both(sm, re, d)
    N <- both(sm, re, new)
    what <- if (is.null(sm$by.level)) "" else sm$by.level
    for (g in seq_along(re$rand)) {
      add(text, paste0("kernel", g, what), tcrossprod(X[, re$pen.ind == g]))
      add(text, paste0("new kernel", g, what), X[, re$pen.ind == g] %*% t(N[, re$pen.ind == g]))
    }
    free <- X[, re$pen.ind == 0, drop = FALSE]
    # The scale of a factor's linear columns is that of its first level's rows in mgcv.
    if (ncol(free) == 1 && what == "") add(text, "linear", free * sign(cor(free, d$x)[1]))
    if (what != "") add(text, paste0("span", what), projection(free))
    if (ncol(free) == 2) add(text, "span", projection(free))
    if (ncol(free) == 4) add(text, "span", projection(free))
  }
}
writeLines(out, "src/test/resources/formula/smooths.csv")
