# Writes tables of R's packages as CSV, each with a job file, for `lampyris tables --jobs <folder>`.
# Usage: Rscript tables.R <folder>
suppressPackageStartupMessages({
  library(MASS); library(survival); library(boot); library(nlme); library(rpart); library(ggplot2)
})
folder <- commandArgs(TRUE)[1]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

put <- function(name, table, label, model, more = character()) {
  table <- as.data.frame(table)
  for (column in names(table)) if (is.ordered(table[[column]])) {
    table[[column]] <- as.character(table[[column]])
  }
  path <- file.path(folder, paste0(name, ".csv"))
  write.csv(table, path, row.names = FALSE, na = "")
  writeLines(c(
    sprintf("data: {input: \"%s\", label: %s%s}", path, label,
            if (length(more)) paste0(", ", more) else ""),
    sprintf("model: {%s}", model),
    sprintf("output: \"%s\"", file.path(folder, "runs", name))
  ), file.path(folder, paste0(name, ".yaml")))
}

# Normal
put("longley", longley, "Employed", "family: gaussian")
put("mtcars", mtcars, "mpg", "family: gaussian")
put("swiss", swiss, "Fertility", "family: gaussian")
put("attitude", attitude, "rating", "family: gaussian")
put("uscrime", UScrime, "y", "family: gaussian")
put("boston", Boston, "medv", "family: gaussian")
put("mathachieve", as.data.frame(MathAchieve)[c("MathAch", "Minority", "Sex", "SES", "MEANSES")],
    "MathAch", "family: gaussian")
put("nlschools", nlschools[c("lang", "IQ", "GS", "SES", "COMB")], "lang", "family: gaussian")
# Student-t
put("stackloss", stackloss, "stack.loss", "family: robust")
put("hills", hills, "time", "family: robust")
put("airquality", airquality, "Ozone", "family: robust", "missing: drop")
put("boston-robust", Boston, "medv", "family: robust")
# Gamma
put("chickweight", as.data.frame(ChickWeight)[c("weight", "Time", "Diet")], "weight", "family: gamma")
put("cpus", transform(cpus[c("syct", "mmin", "mmax", "cach", "chmin", "chmax", "perf")]), "perf",
    "family: gamma")
d <- as.data.frame(diamonds)
d$carat <- log(d$carat)
put("diamonds", d[c("price", "carat", "cut", "color", "clarity", "depth", "table")], "price",
    "family: gamma")
# Logistic
put("pima", Pima.tr, "type", "family: logistic")
put("birthwt", transform(birthwt[names(birthwt) != "bwt"], race = factor(race)), "low",
    "family: logistic")
put("infert", infert[c("case", "education", "age", "parity", "induced", "spontaneous")], "case",
    "family: logistic")
put("bacteria", bacteria[c("y", "ap", "hilo", "week", "trt")], "y", "family: logistic")
put("kyphosis", kyphosis, "Kyphosis", "family: logistic")
put("crabs", crabs[c("sex", "FL", "RW", "CL", "CW", "BD")], "sex", "family: logistic")
put("biopsy", biopsy[-1], "class", "family: logistic", "missing: drop")
titanic <- as.data.frame(Titanic)
put("titanic", titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4], "Survived",
    "family: logistic")
put("flchain", na.omit(flchain[c("death", "age", "sex", "kappa", "lambda", "creatinine", "mgus")]),
    "death", "family: logistic")
put("amis", amis, "warning", "family: logistic")
d <- as.data.frame(diamonds)
put("diamonds-rare", transform(d[c("carat", "depth", "table", "x", "y", "cut")],
    best = ifelse(d$clarity == "IF" & d$color == "D", "yes", "no")), "best", "family: logistic")
# Probit
put("menarche-probit", with(menarche, data.frame(
    Age = rep(Age, Total),
    reached = unlist(Map(function(m, n) rep(c("yes", "no"), c(m, n - m)), Menarche, Total)))),
    "reached", "family: probit")
put("nodal", nodal[-1], "r", "family: probit")
# Binomial
put("esoph", transform(esoph, n = ncases + ncontrols)[c("agegp", "alcgp", "tobgp", "ncases", "n")],
    "ncases", "family: binomial, trials: n")
put("snails", snails, "Deaths", "family: binomial, trials: N")
u <- as.data.frame(UCBAdmissions)
u <- merge(u[u$Admit == "Admitted", ], aggregate(cbind(n = Freq) ~ Gender + Dept, u, sum))
put("berkeley", u[c("Gender", "Dept", "Freq", "n")], "Freq", "family: binomial, trials: n")
# Poisson
put("insectsprays", InsectSprays, "count", "family: poisson")
put("quakes", quakes, "stations", "family: poisson")
put("insurance", transform(Insurance, exposure = log(Holders))[c("District", "Group", "Age", "Claims",
    "exposure")], "Claims", "family: poisson, offset: exposure")
put("epil", epil[c("y", "trt", "base", "age", "V4")], "y", "family: poisson")
put("solder", solder[c("Opening", "Solder", "Mask", "PadType", "Panel", "skips")], "skips",
    "family: poisson")
# Negative binomial
put("quine", quine, "Days", "family: negative_binomial")
put("warpbreaks", warpbreaks, "breaks", "family: negative_binomial")
if (requireNamespace("rstanarm", quietly = TRUE)) {
  r <- rstanarm::roaches
  put("roaches", transform(r, exposure = log(exposure2))[c("y", "roach1", "treatment", "senior",
      "exposure")], "y", "family: negative_binomial, offset: exposure")
}
# Beta
put("gasoline", transform(as.data.frame(Gasoline)[c("yield", "endpoint", "API", "vapor", "ASTM")],
    yield = yield / 100), "yield", "family: beta")
put("midwest", transform(as.data.frame(midwest)[c("percbelowpoverty", "percollege", "percwhite",
    "inmetro")], poor = percbelowpoverty / 100)[-1], "poor", "family: beta")
# Ordinal
put("housing", housing[rep(seq_len(nrow(housing)), housing$Freq), 1:4], "Sat",
    "family: ordinal, order: [Low, Medium, High]")
put("diamonds-cut", d[c("cut", "carat", "depth", "table", "price")], "cut",
    "family: ordinal, order: [Fair, Good, Very Good, Premium, Ideal]")
# Softmax
put("iris", iris, "Species", "family: softmax")
put("fgl", fgl, "type", "family: softmax")
put("anorexia", anorexia, "Treat", "family: softmax")
put("housing-softmax", housing[rep(seq_len(nrow(housing)), housing$Freq), 1:4], "Sat",
    "family: softmax")
put("diamonds-color", d[c("color", "carat", "depth", "table")], "color", "family: softmax")
