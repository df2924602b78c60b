# References of SurvivalTest: Rscript bounds/src/test/r/survival.R writes
# bounds/src/test/resources/org/lampyris/bounds/family/survival*.csv. Run with R 4.x, survival 3.x.
library(survival)
folder <- "bounds/src/test/resources/org/lampyris/bounds/family/"
number <- function(x) trimws(formatC(x, digits = 17, format = "g"))
version <- paste("survival", packageVersion("survival"), "of", R.version.string)
lines <- paste("# family,eta,scale,time,log density,log P(later) by dsurvreg and psurvreg,", version)
for (family in c("weibull", "lognormal", "loglogistic"))
  for (eta in c(-1.5, 0.2, 3))
    for (scale in c(0.3, 1, 2.2))
      for (z in c(-3, -0.4, 0, 0.7, 1.6)) {
        time <- exp(eta + scale * z)
        density <- dsurvreg(time, eta, scale, family)
        later <- 1 - psurvreg(time, eta, scale, family)
        lines <- c(lines, paste(c(family, number(c(eta, scale, time, log(density), log(later)))), collapse = ","))
      }
writeLines(lines, paste0(folder, "survival.csv"))

# Sums over the patients of lung, at the maximum and beside it, as survreg gives them.
lung <- lung[!is.na(lung$ph.ecog), ]
rows <- c(paste("# time,event,age,ph.ecog of survival's lung,", version),
          paste(lung$time, lung$status - 1, lung$age, lung$ph.ecog, sep = ","))
writeLines(rows, paste0(folder, "lung.csv"))
lines <- paste("# family,(Intercept),age,ph.ecog,scale,log-likelihood by survreg,", version)
for (family in c("weibull", "lognormal", "loglogistic", "exponential")) {
  fit <- survreg(Surv(time, status == 2) ~ age + ph.ecog, lung, dist = family)
  lines <- c(lines, paste(c(family, number(c(coef(fit), fit$scale, fit$loglik[2]))), collapse = ","))
}
writeLines(lines, paste0(folder, "survreg.csv"))
