# Writes what R's model.matrix makes of formulas: src/test/resources/formula/table.csv, the table,
# and columns.csv, one line for each column of each formula: the formula, the column's name, and its
# values; random.csv what varies by which groups; new.csv functions beyond the table.
# FormulaFixturesTest reads them. Made by R 4.2.2, splines 4.2.2 and lme4 1.1-31. Run it in the module's folder: Rscript src/test/r/formula.R
library(splines)
set.seed(11)
n <- 30
d <- data.frame(
  y = round(rnorm(n), 3),
  x = round(rnorm(n), 4),
  z = round(rexp(n) + 0.1, 4),
  w = round(runif(n, -2, 3), 4),
  hour = rep(c(3, 8, 12, 20, 8, 11), 5),
  f = rep(c("b", "a", "c"), 10),
  g = c(rep(c("q", "p", "t", "s"), 7), "p", "q"),
  h = rep(c("no", "yes", "yes", "no", "yes"), 6),
  stringsAsFactors = TRUE)
names(d)[4] <- "my w"

formulas <- c(
  "y ~ x",
  "y ~ 1",
  "y ~ x + f",
  "y ~ f + x",
  "y ~ 0 + x",
  "y ~ 0 + f",
  "y ~ f - 1",
  "y ~ f + 0 + g",
  "y ~ 0 + x + f + g",
  "y ~ x:z",
  "y ~ x * z",
  "y ~ f * g",
  "y ~ f:g",
  "y ~ 0 + f:g",
  "y ~ f + f:g",
  "y ~ g + f:g",
  "y ~ f * x",
  "y ~ f:x",
  "y ~ 0 + f:x",
  "y ~ x + f:x",
  "y ~ f + x:f + h:f:x",
  "y ~ f * g * h",
  "y ~ (f + g + h)^2",
  "y ~ (f + x + z)^2 - x:z",
  "y ~ (f * g * h) - f:g:h",
  "y ~ f * g - f",
  "y ~ f/x",
  "y ~ f/g",
  "y ~ g %in% f",
  "y ~ f %in% g + f",
  "y ~ z:f:g - 1",
  "y ~ b1 + x + h:b1",
  "y ~ I(x^2) + I(x * z) + I((x + z)/2) + I(-x) + I(2 * x - 1)",
  "y ~ log(z) + exp(x) + sqrt(z) + abs(x)",
  "y ~ log(z) * f",
  "y ~ log(z + 1, 2) + log2(z) + log10(z) + log1p(z)",
  "y ~ poly(x, 2)",
  "y ~ poly(x, 1) + z",
  "y ~ poly(x, 5)",
  "y ~ poly(hour, 4)",
  "y ~ poly(log(z), 3) * h",
  "y ~ poly(x, 3, raw = TRUE)",
  "y ~ bs(x, df = 3)",
  "y ~ bs(x, df = 4)",
  "y ~ bs(z, df = 8)",
  "y ~ bs(hour, df = 4) + f",
  "y ~ bs(x, df = 6)",
  "y ~ bs(log(z), df = 5):f",
  "y ~ bs(x, df = 4):poly(z, 2)",
  "y ~ factor(hour)",
  "y ~ factor(hour) * h + hour",
  "y ~ x + factor(hour):x",
  "y ~ `my w` * f + x",
  "y ~ .",
  "y ~ . - z",
  "y ~ (x + z + f)^3 - x",
  "y ~ x + x + f + x",
  "y ~ x + offset(log(z))",
  "y ~ log(z) + I(log(z)^2) + f:I(log(z)^2)",
  "log(z) ~ x * h",
  "y ~ x^2 + f",
  "y ~ -1 + h:x + f",
  "y ~ scale(x)",
  "y ~ scale(x) * f",
  "y ~ scale(x, scale = FALSE)",
  "y ~ scale(x, center = FALSE)",
  "y ~ scale(log(z)) + x",
  "y ~ I(scale(x)^2) + scale(x)",
  "y ~ poly(scale(x), 2)",
  "scale(y) ~ x + f",
  "y ~ ns(x, df = 1)",
  "y ~ ns(x, df = 3)",
  "y ~ ns(z, 4)",
  "y ~ ns(x, df = 3):f",
  "y ~ ns(log(z), df = 2) * h",
  "y ~ ns(x, knots = c(-0.5, 0.5))",
  "y ~ ns(scale(x), df = 2)",
  "y ~ bs(x, knots = c(-0.5, 0.5))",
  "y ~ bs(x, 5)",
  "y ~ bs(x, df = 4, degree = 3)",
  "y ~ cut(x, c(-3, -1, 0, 1, 3))",
  "y ~ cut(x, 3)",
  "y ~ cut(x, 4) * h",
  "y ~ cut(z, c(0, 0.5, 1, Inf), right = FALSE)",
  "y ~ cut(x, c(-3, 0, 3), labels = c(\"low\", \"high\"))",
  "y ~ f:cut(x, 2)",
  "y ~ cut(hour, c(3, 8, 20), include.lowest = TRUE)",
  "y ~ cut(x, seq(-3, 3, by = 1.5))",
  "y ~ 0 + cut(x, 3)",
  "y ~ cut(hour, 2, dig.lab = 1)",
  "y ~ cut(1000 * z, breaks = c(0, 345.678, 1234.567, 99999))",
  "y ~ relevel(f, ref = \"b\")",
  "y ~ relevel(f, \"c\") * x",
  "y ~ relevel(factor(hour), ref = \"8\")",
  "y ~ relevel(f, ref = \"b\"):g",
  "y ~ as.factor(hour)",
  "y ~ factor(hour, levels = c(20, 12, 11, 8, 3))",
  "y ~ factor(h, levels = c(\"yes\", \"no\"))",
  "y ~ factor(b1, levels = c(0, 1), labels = c(\"off\", \"on\"))",
  "y ~ C(f, sum)",
  "y ~ C(f, helmert)",
  "y ~ C(g, poly)",
  "y ~ C(f, contr.sum) * x",
  "y ~ C(f, treatment)",
  "y ~ C(f, sum):C(h, sum)",
  "y ~ 0 + C(f, sum)",
  "y ~ C(factor(hour), sum)",
  "y ~ ordered(hour)",
  "y ~ ordered(f) * x",
  "y ~ I(x > 0)",
  "y ~ I(x > 0) * f",
  "y ~ x > 0",
  "y ~ I(x > 0 & z < 1)",
  "y ~ I(x > 1 | z < 0.3) + x",
  "y ~ I(!(x > 0))",
  "y ~ I(f == \"a\")",
  "y ~ I(f != \"a\"):x",
  "y ~ I(f %in% c(\"a\", \"b\"))",
  "y ~ I(hour %in% c(8, 11))",
  "y ~ 0 + I(x > 0)",
  "y ~ factor(x > 0)",
  "y ~ ifelse(x > 0, 1, 0)",
  "y ~ ifelse(x > 0, x, 0) + x",
  "y ~ ifelse(f == \"a\", z, x)",
  "y ~ ifelse(x > 0, \"high\", \"low\")",
  "y ~ ifelse(x > 1, \"top\", ifelse(x > 0, \"mid\", \"low\")) * h",
  "y ~ as.numeric(x > 0)",
  "y ~ I((x > 0) * z)",
  "y ~ pmin(x, 0) + pmax(x, 0)",
  "y ~ round(x) + round(z, 1) + sign(x) + trunc(x)",
  "y ~ I(hour%%5) + I(hour%/%5)",
  "y ~ plogis(x) + sin(2 * x) + tan(x) + floor(z) + ceiling(z)",
  "y ~ exp(-z) + I(1/z) + expm1(x)",
  "log(z) ~ scale(x):f",
  "sqrt(z) ~ I(x > 0)")
d$b1 <- rep(c(0, 1, 1), 10)

number <- function(v) ifelse(v == round(v) & abs(v) < 1e6, sprintf("%d", as.integer(round(v))), sprintf("%.17g", v))
quoted <- function(s) paste0("\"", gsub("\"", "\"\"", s), "\"")
out <- c()
for (text in formulas) {
  m <- model.matrix(as.formula(text), d)
  for (j in seq_len(ncol(m))) {
    out <- c(out, paste(c(quoted(text), quoted(colnames(m)[j]), number(m[, j])), collapse = ","))
  }
}
writeLines(out, "src/test/resources/formula/columns.csv")
# Effects of groups: of each term of lme4's mkReTrms the formula, the group, how many levels it has,
# and what varies.
library(lme4)
random <- c(
  "y ~ x + (1 | g)",
  "y ~ x + (x | g)",
  "y ~ x + (1 + x | g)",
  "y ~ x + (0 + x | g)",
  "y ~ x + (x - 1 | g)",
  "y ~ x + (x || g)",
  "y ~ x + z + (x + z || g)",
  "y ~ x + (1 | g) + (0 + x | g)",
  "y ~ x + (1 | f/g)",
  "y ~ x + (x | f/g)",
  "y ~ x + (1 | f:g)",
  "y ~ x + (1 | f) + (1 | f:g)",
  "y ~ x + (1 | f/g/h)",
  "y ~ x + (1 | f) + (1 | g)",
  "y ~ f + (f | g)",
  "y ~ h * x + (h * x | g)",
  "y ~ x + I(x^2) + (x + I(x^2) | g)",
  "y ~ poly(x, 2) + (poly(x, 2) | g)",
  "y ~ scale(x) + (scale(x) | g)",
  "y ~ ns(x, df = 3) + (ns(x, df = 3) | g)",
  "y ~ I(x > 0) + (I(x > 0) | g)",
  "y ~ x + h + (1 + h | g) + (0 + x | g)",
  "y ~ 0 + f + (0 + f | g)")
out <- c()
for (text in random) {
  re <- mkReTrms(findbars(as.formula(text)), d)
  groups <- names(re$cnms)
  for (k in seq_along(groups)) {
    group <- sub("\\.[0-9]+$", "", groups[k])
    levels <- nlevels(re$flist[[group]])
    out <- c(out, paste(c(quoted(text), quoted(group), levels, quoted(re$cnms[[k]])), collapse = ","))
  }
}
writeLines(out, "src/test/resources/formula/random.csv")
# Beyond the knots and the range that it was made with, as of new rows.
b <- bs(d$x, df = 5)
p <- poly(d$x, 3)
new <- c(min(d$x) - 1, 0.1, max(d$x) + 0.5)
beyond <- rbind(suppressWarnings(predict(b, new)))
writeLines(
  c(sapply(1:5, function(j) paste(c("\"bs(x, df = 5)\"", quoted(paste0("bs(x, df = 5)", j)), sprintf("%.17g", beyond[, j])), collapse = ",")),
    sapply(1:4, function(j) paste(c("\"ns(x, df = 4)\"", quoted(paste0("ns(x, df = 4)", j)), sprintf("%.17g", predict(ns(d$x, df = 4), new)[, j])), collapse = ",")),
    sapply(1:3, function(j) paste(c("\"poly(x, 3)\"", quoted(paste0("poly(x, 3)", j)), sprintf("%.17g", predict(p, new)[, j])), collapse = ","))),
  "src/test/resources/formula/new.csv")
write.csv(d, "src/test/resources/formula/table.csv", row.names = FALSE, quote = FALSE)
