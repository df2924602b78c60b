# Writes what R's model.matrix makes of formulas: src/test/resources/formula/table.csv, the table,
# and columns.csv, one line for each column of each formula: the formula, the column's name, and its
# values. FormulaFixturesTest reads them. Run it in the module's folder: Rscript src/test/r/formula.R
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
  "y ~ -1 + h:x + f")
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
# Beyond the knots and the range that it was made with, as of new rows.
b <- bs(d$x, df = 5)
p <- poly(d$x, 3)
new <- c(min(d$x) - 1, 0.1, max(d$x) + 0.5)
beyond <- rbind(suppressWarnings(predict(b, new)))
writeLines(
  c(sapply(1:5, function(j) paste(c("\"bs(x, df = 5)\"", quoted(paste0("bs(x, df = 5)", j)), sprintf("%.17g", beyond[, j])), collapse = ",")),
    sapply(1:3, function(j) paste(c("\"poly(x, 3)\"", quoted(paste0("poly(x, 3)", j)), sprintf("%.17g", predict(p, new)[, j])), collapse = ","))),
  "src/test/resources/formula/new.csv")
write.csv(d, "src/test/resources/formula/table.csv", row.names = FALSE, quote = FALSE)
