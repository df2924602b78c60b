# Draws of five parameters, and what brms and posterior say of hypotheses about them:
# driver/src/test/resources/questions/hypothesis-draws.csv and hypothesis.csv, and of the six tables
# of effects.R: hypothesis-tables.csv. HypothesisTest reads them. Rscript hypothesis.R <folder>, with R 4.2.2, brms 2.18.0, posterior 1.4.0.
library(brms)
library(posterior)
folder <- commandArgs(TRUE)[1]
set.seed(46)
chains <- 4
n <- 250
ar <- function(mean, sd, phi) {
  as.vector(replicate(chains, {
    x <- numeric(n)
    x[1] <- rnorm(1)
    for (i in 2:n) x[i] <- phi * x[i - 1] + sqrt(1 - phi^2) * rnorm(1)
    mean + sd * x
  }))
}
draws <- data.frame(
  .chain = rep(seq_len(chains), each = n), .iteration = rep(seq_len(n), chains),
  .draw = seq_len(chains * n),
  `(Intercept)` = ar(-1, 0.2, 0), x1 = ar(0.3, 0.25, 0.6),
  `dow[Fri]` = ar(0.5, 0.2, 0.3), `dow[Sat]` = ar(0.8, 0.3, 0.3),
  sd_g__Intercept = exp(ar(-0.5, 0.2, 0.5)), sigma = exp(ar(0.1, 0.05, 0.2)),
  check.names = FALSE)
write.csv(format(draws, digits = 17, trim = TRUE, scientific = FALSE),
  file.path(folder, "hypothesis-draws.csv"), row.names = FALSE, quote = FALSE)
draws <- read.csv(file.path(folder, "hypothesis-draws.csv"), check.names = FALSE)

# Each as Lampyris has it, as an R expression of the difference, and as brms has it.
p <- function(name) draws[[name]]
asked <- list(
  list("x1 > 0", p("x1"), "x1 > 0"),
  list("x1 < 0.2", p("x1") - 0.2, "x1 < 0.2"),
  list("dow[Sat] - dow[Fri] > 0", p("dow[Sat]") - p("dow[Fri]"), "dow[Sat] - dow[Fri] > 0"),
  list("dow[Sat] > 2 * dow[Fri]", p("dow[Sat]") - 2 * p("dow[Fri]"), "dow[Sat] > 2 * dow[Fri]"),
  list("sd_g__Intercept^2 / (sd_g__Intercept^2 + sigma^2) > 0.25",
    p("sd_g__Intercept")^2 / (p("sd_g__Intercept")^2 + p("sigma")^2) - 0.25,
    "sd_g__Intercept^2 / (sd_g__Intercept^2 + sigma^2) > 0.25"),
  list("exp(x1)", exp(p("x1")), NA),
  list("inv_logit((Intercept) + x1) - inv_logit(Intercept)",
    plogis(p("(Intercept)") + p("x1")) - plogis(p("(Intercept)")), NA),
  list("-x1^2 + 2^3^2 - 10 / 5 / 2", -p("x1")^2 + 2^3^2 - 10 / 5 / 2, NA),
  list("max(x1, dow[Fri]) - abs(min(x1, 0.1))",
    pmax(p("x1"), p("dow[Fri]")) - abs(pmin(p("x1"), 0.1)), NA),
  list("log2(sigma) + log10(sigma) * log1p(sigma) - sqrt(expm1(sigma))",
    log2(p("sigma")) + log10(p("sigma")) * log1p(p("sigma")) - sqrt(expm1(p("sigma"))), NA))

answer <- function(one) {
  d <- one[[2]]
  m <- matrix(d, nrow = n)
  row <- data.frame(hypothesis = one[[1]], mean = mean(d), sd = sd(d),
    lower = quantile(d, 0.025), upper = quantile(d, 0.975), mcse_mean = mcse_mean(m),
    probability = NA, mcse_probability = NA, evidence_ratio = NA)
  if (!is.na(one[[3]])) {
    h <- hypothesis(draws[, -(1:3)], one[[3]])$hypothesis
    holds <- if (grepl("<", one[[1]])) m < 0 else m > 0
    stopifnot(abs(h$Post.Prob - mean(holds)) < 1e-12, abs(h$Estimate - mean(d)) < 1e-10)
    row$probability <- h$Post.Prob
    row$mcse_probability <- sqrt(mean(holds) * (1 - mean(holds)) / ess_mean(holds + 0))
    row$evidence_ratio <- h$Evid.Ratio
  }
  row
}
table <- do.call(rbind, lapply(asked, answer))

# Savage-Dickey at a point: kernel density with bw.nrd0's bandwidth, but R's type of quartiles is
# not the one of Shape, so the bandwidth is stated here.
density_at_0 <- function(d) {
  s <- sort(d)
  k <- length(s)
  iqr <- (s[floor(0.75 * (k - 1)) + 1] - s[floor(0.25 * (k - 1)) + 1]) / 1.34
  mean(dnorm(0, s, 0.9 * min(sd(s), iqr) * k^-0.2))
}
point <- function(text, d, prior) {
  ratio <- density_at_0(d) / prior
  data.frame(hypothesis = text, mean = mean(d), sd = sd(d), lower = quantile(d, 0.025),
    upper = quantile(d, 0.975), mcse_mean = mcse_mean(matrix(d, nrow = n)),
    probability = ratio / (1 + ratio), mcse_probability = NA, evidence_ratio = ratio)
}
table <- rbind(table,
  point("x1 = 0", p("x1"), dnorm(0, 0, 2.5)),
  point("2 * x1 = 1", 2 * p("x1") - 1, dnorm(1, 0, 5)),
  point("dow[Sat] = dow[Fri]", p("dow[Sat]") - p("dow[Fri]"), dnorm(0, 0, sqrt(2^2 + 3^2))))
write.table(format(table, digits = 15, trim = TRUE), file.path(folder, "hypothesis.csv"),
  row.names = FALSE, quote = TRUE, sep = ",")

# The draws of effects.R, with names that brms would not read: v1, v2, ... in their stead.
six <- list(
  c("log(d) > 0.4", "log(d):f[b] + log(d) < log(d)", "f[c] - f[b] > 0.5", "I(h^2) * 100 < h^2"),
  c("g[v] > 0", "exp(k[3]) < exp(k[2])", "exp(x) > 1.5", "k[2] + k[3] > 2 * k[3]"),
  c("f[b] > f[c]", "f[c] + f[c]:g[v] < 0", "poly(x, 2)2 / poly(x, 2)1 > 0.3",
    "ns(z, 3)1 - ns(z, 3)3 < -1", "(f[b] / sigma)^2 > 0.25"),
  c("f[b][q] > f[b][r]", "x[q] + x[r] > 0", "exp(f[c][r]) > 2", "(Intercept)[q] > (Intercept)[r]"),
  c("x:f[b] > 0", "sd_g__Intercept^2 / (sd_g__Intercept^2 + 3.29) > 0.2", "x + x:f[c] > 0.5",
    "inv_logit((Intercept)) < 0.4"),
  c("Intercept[2] - Intercept[1] > 1.3", "f[b] < f[c]", "exp(x) > 2.5",
    "inv_logit(Intercept[3] - x) - inv_logit(Intercept[3]) < -0.1"))
answer_of_table <- function(k, text) {
  d <- read.csv(file.path(folder, sprintf("effects-%d-draws.csv", k)), check.names = FALSE)
  n <<- max(d$.iteration)
  d <- d[, -(1:3)]
  for (j in order(-nchar(names(d)))) {
    whole <- paste0("(?<![A-Za-z0-9_])\\Q", names(d)[j], "\\E(?![A-Za-z0-9_])")
    text <- gsub(whole, paste0("v", j, "_"), text, perl = TRUE)
  }
  names(d) <- paste0("v", seq_along(d), "_")
  h <- hypothesis(d, text, alpha = 0.05)
  difference <- h$samples[[1]]
  holds <- matrix(if (grepl("<", text)) difference < 0 else difference > 0, nrow = n)
  stopifnot(abs(h$hypothesis$Post.Prob - mean(holds)) < 1e-12)
  data.frame(mean = h$hypothesis$Estimate, sd = h$hypothesis$Est.Error,
    lower = quantile(difference, 0.025), upper = quantile(difference, 0.975),
    mcse_mean = mcse_mean(matrix(difference, nrow = n)), probability = h$hypothesis$Post.Prob,
    mcse_probability = if (length(unique(c(holds))) == 1) 0 else
      sqrt(mean(holds) * (1 - mean(holds)) / ess_mean(holds + 0)),
    evidence_ratio = h$hypothesis$Evid.Ratio)
}
out <- do.call(rbind, lapply(1:6, function(k) do.call(rbind, lapply(six[[k]], function(text) {
  cbind(data.frame(table = k, hypothesis = text), answer_of_table(k, text))
}))))
write.table(format(out, digits = 15, trim = TRUE), file.path(folder, "hypothesis-tables.csv"),
  row.names = FALSE, quote = TRUE, sep = ",")
