# Writes small tables of R's packages whose rows lie in groups, each with a job file, for
# `lampyris tables --jobs <folder>`, and beside each the reference of multilevel-references.csv. With
# `stan`, draws the references anew: Stan's NUTS on the posterior that Lampyris' documentation
# promises (multilevel.stan), and writes that file.
# Usage: Rscript multilevel.R <folder> [stan [names]]
suppressPackageStartupMessages({library(lme4); library(nlme); library(MASS); library(survival)})
arguments <- commandArgs(TRUE)
folder <- arguments[1]
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
file <- file.path(here, "multilevel-references.csv")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
of <- function(package, name) {
  data(list = name, package = package, envir = environment())
  as.data.frame(get(name))
}

# What stands in a job file besides label and groups is `more`; `small` names the groupings whose
# groups have few rows: Stan draws their effects in units of their sd.
tables <- list()
put <- function(name, table, family, formula, more = "", small = TRUE) {
  for (column in names(table)) if (is.factor(table[[column]])) {
    table[[column]] <- as.character(table[[column]])
  }
  columns <- unique(c(all.vars(as.formula(formula)), if (family == "binomial") "size"))
  tables[[name]] <<- list(name = name, table = table[columns], family = family,
                          formula = formula, more = more, small = small)
}

# Normal
put("sleepstudy", sleepstudy, "gaussian", "Reaction ~ Days + (1 + Days | Subject)")
curve <- poly(sleepstudy$Days, 3)
put("sleepstudy-cubic", transform(sleepstudy, p1 = curve[, 1], p2 = curve[, 2], p3 = curve[, 3]),
    "gaussian", "Reaction ~ p1 + p2 + p3 + (1 + p1 + p2 + p3 | Subject)")
put("oats", transform(nlme::Oats, Plot = paste(Block, Variety)), "gaussian",
    "yield ~ nitro + Variety + (1 | Plot) + (1 | Block)")
put("machines", transform(Machines, Pair = paste(Worker, Machine)), "gaussian",
    "score ~ Machine + (1 | Pair) + (1 | Worker)", small = FALSE)
put("dyestuff", Dyestuff, "gaussian", "Yield ~ 1 + (1 | Batch)")
put("dyestuff2", Dyestuff2, "gaussian", "Yield ~ 1 + (1 | Batch)")
put("pastes", Pastes, "gaussian", "strength ~ 1 + (1 | sample) + (1 | batch)")
put("penicillin", Penicillin, "gaussian", "diameter ~ 1 + (1 | plate) + (1 | sample)", small = FALSE)
put("rail", Rail, "gaussian", "travel ~ 1 + (1 | Rail)", small = FALSE)
put("ergostool", ergoStool, "gaussian", "effort ~ Type + (1 | Subject)")
put("cake", transform(cake, Batch = paste(replicate, recipe)), "gaussian",
    "angle ~ temp + recipe + (1 | Batch) + (1 | replicate)")
put("petrol", petrol, "gaussian", "Y ~ SG + VP + V10 + EP + (1 | No)")
# Student-t
put("orthodont", Orthodont, "robust", "distance ~ age + Sex + (1 + age | Subject)")
# Logistic
put("bacteria", bacteria, "logistic", "y ~ week + trt + (1 | ID)")
put("verbagg", VerbAgg[as.integer(VerbAgg$id) %% 5 == 1, ], "logistic",
    "r2 ~ Anger + Gender + btype + situ + (1 | id) + (1 | item)")
# Probit
put("retinopathy", transform(retinopathy, type = as.character(type)), "probit",
    "status ~ trt + risk + type + (1 | id)")
# Binomial
put("cbpp", transform(cbpp, period = paste0("p", period)), "binomial",
    "incidence ~ period + (1 | herd)", ", trials: size")
# Poisson
put("epil", epil, "poisson", "y ~ lbase * trt + lage + V4 + (1 | subject)")
put("grouseticks", transform(grouseticks, YEAR = paste0("y", YEAR)), "poisson",
    "TICKS ~ YEAR + cHEIGHT + (1 | INDEX) + (1 | BROOD) + (1 | LOCATION)")
# Negative binomial
put("arabidopsis", transform(Arabidopsis, fruits = total.fruits), "negative_binomial",
    "fruits ~ nutrient + amd + status + rack + (1 | gen) + (1 | popu)")
# Gamma
put("kidney", of("brms", "kidney"), "gamma", "time ~ age + sex + disease + (1 | patient)")
put("loss", transform(of("brms", "loss"), ldev = log(dev)), "gamma", "cum ~ ldev + (1 | AY)")
# Beta
put("gasoline", transform(petrol, share = Y / 100), "beta", "share ~ EP + (1 | No)")
# Ordinal
put("inhaler", of("brms", "inhaler"), "ordinal",
    "rating ~ treat + period + carry + (1 | subject)")

export <- function(of) {
  path <- file.path(folder, paste0(of$name, ".csv"))
  write.csv(of$table, path, row.names = FALSE, na = "")
  writeLines(c(
    sprintf("data: {input: \"%s\"}", path),
    sprintf("model: {family: %s, formula: \"%s\"%s}", of$family, of$formula, of$more),
    sprintf("output: \"%s\"", file.path(folder, "runs", of$name))
  ), file.path(folder, paste0(of$name, ".yaml")))
}

# What multilevel.stan takes, and what the coefficients are named.
design <- function(of) {
  families <- c("gaussian", "robust", "logistic", "probit", "binomial", "poisson",
                "negative_binomial", "gamma", "beta", "ordinal")
  formula <- as.formula(of$formula)
  table <- of$table
  for (column in names(table)) if (is.character(table[[column]])) {
    table[[column]] <- factor(table[[column]], sort(unique(table[[column]]), method = "radix"))
  }
  y <- table[[all.vars(formula)[1]]]
  classes <- sort(unique(y))
  whole <- switch(of$family, ordinal = match(y, classes), logistic = , probit = match(y, classes) - 1L,
                  as.integer(round(as.numeric(y))))
  y <- if (is.factor(y)) whole else as.numeric(y)
  full <- model.matrix(update(lme4::nobars(formula), NULL ~ .), table)
  X <- full[, -1, drop = FALSE]
  names <- vapply(strsplit(as.character(colnames(X)), ":"), function(parts) paste(vapply(parts, function(part) {
    for (column in names(table)) if (is.factor(table[[column]]) && startsWith(part, column)) {
      level <- substring(part, nchar(column) + 1)
      if (level %in% levels(table[[column]])) return(sprintf("%s[%s]", column, level))
    }
    part
  }, ""), collapse = ":"), "")
  if (!length(names)) X <- matrix(0, nrow(full), 1)  # Stan's product takes no matrix without columns
  in_unit <- of$family %in% c("gaussian", "robust")
  unit <- if (in_unit) sd(y) else 1
  wide <- if (in_unit) sd(y) else 2.5
  bars <- lme4::findbars(formula)
  groups <- lapply(bars, function(bar) factor(table[[as.character(bar[[3]])]]))
  Z <- lapply(bars, function(bar) model.matrix(as.formula(call("~", bar[[2]])), table))
  stopifnot(all(vapply(Z[-1], ncol, 1L) == 1))
  scales <- unlist(lapply(Z, function(z) c(wide, if (ncol(z) > 1) wide / apply(z[, -1, drop = FALSE], 2, sd))))
  group_names <- vapply(bars, function(bar) as.character(bar[[3]]), "")
  effects <- sub("(Intercept)", "Intercept", colnames(Z[[1]]), fixed = TRUE)
  list(names = names, centre = colMeans(X), groups = group_names, effects = effects, data = list(
    N = nrow(X), K = ncol(X), X = sweep(X, 2, colMeans(X)), family = match(of$family, families),
    y = y, whole = whole,
    trials = as.array(if (of$family == "binomial") as.integer(table$size) else rep(1L, nrow(X))),
    C = max(2, if (of$family == "ordinal") length(classes)),
    m = if (in_unit) mean(y) else if (of$family %in% c("gamma", "poisson", "negative_binomial")) log(mean(y)) else 0,
    s = 2.5 * unit, s_x = as.array(2.5 * unit / vapply(seq_len(ncol(X)), function(k) if (length(names)) sd(X[, k]) else 1, 0)),
    rate = switch(of$family, gaussian = , robust = 1 / sd(y), gamma = 1, 0),
    G = length(bars), Q = ncol(Z[[1]]), J = as.array(vapply(groups, nlevels, 1L)),
    level = vapply(groups, as.integer, integer(nrow(X))), Z = Z[[1]], t = as.array(unname(scales)),
    centred = as.array(rep(as.integer(!of$small), length(bars)))))
}

# The draws by Lampyris' names, on the input's scale: iterations x chains x variables.
named <- function(fit, from) {
  draws <- rstan::extract(fit, permuted = FALSE)
  get <- function(name) draws[, , name]
  out <- list()
  slopes <- lapply(seq_along(from$names), function(k) get(sprintf("beta[%d]", k)))
  names(slopes) <- from$names
  shift <- Reduce(`+`, Map(`*`, slopes, from$centre[seq_along(slopes)]), 0)
  ordinal <- from$data$family == 10
  at <- get("alpha") - (if (ordinal) -shift else shift)
  out[[if (ordinal) "Intercept[1]" else "(Intercept)"]] <- at
  out <- c(out, slopes)
  if (ordinal) for (k in seq_len(from$data$C - 2)) {
    at <- at + get(sprintf("gap[%d]", k))
    out[[sprintf("Intercept[%d]", k + 1)]] <- at
  }
  own <- c("sigma", "scale", NA, NA, NA, NA, "shape", "shape", "phi", NA)[from$data$family]
  if (!is.na(own)) out[[own]] <- get("scale[1]")
  q <- from$data$Q
  for (e in seq_len(q)) out[[sprintf("sd_%s__%s", from$groups[1], from$effects[e])]] <- get(sprintf("tau[%d]", e))
  for (e in seq_len(q)) for (f in seq_len(e - 1)) {
    out[[sprintf("cor_%s__%s__%s", from$groups[1], from$effects[f], from$effects[e])]] <-
      Reduce(`+`, lapply(seq_len(f), function(k) get(sprintf("L[%d,%d]", e, k)) * get(sprintf("L[%d,%d]", f, k))))
  }
  for (g in seq_along(from$groups)[-1]) out[[sprintf("sd_%s__Intercept", from$groups[g])]] <- get(sprintf("tau[%d]", q + g - 1))
  posterior::as_draws_array(simplify2array(out))
}

reference <- function(of, model) {
  from <- design(of)
  began <- Sys.time()
  fit <- rstan::sampling(model, from$data, chains = 4, iter = 3600, warmup = 600, seed = 1,
                         refresh = 0, pars = c("alpha", "beta", "scale", "gap", "tau", "L"),
                         control = list(adapt_delta = 0.95, max_treedepth = 12))
  divergent <- rstan::get_num_divergent(fit)
  x <- posterior::summarise_draws(named(fit, from), mean, sd, q5 = ~quantile(., 0.05),
    q95 = ~quantile(., 0.95), mcse_mean = posterior::mcse_mean, mcse_sd = posterior::mcse_sd,
    mcse_q5 = ~posterior::mcse_quantile(., 0.05), mcse_q95 = ~posterior::mcse_quantile(., 0.95),
    rhat = posterior::rhat, ess = posterior::ess_bulk, tail = posterior::ess_tail)
  x <- as.data.frame(x)
  x[-1] <- lapply(x[-1], as.numeric)
  names(x) <- c("variable", "mean", "sd", "q5", "q95", "mcse_mean", "mcse_sd", "mcse_q5", "mcse_q95", "rhat", "ess", "tail")
  cat(sprintf("%s: %d rows, R-hat %.4f, least ESS %.0f, %d divergent, greatest mcse/sd %.4f, %.0f s\n",
      of$name, from$data$N, max(x$rhat), min(x$ess, x$tail), divergent, max(x$mcse_mean / x$sd),
      as.numeric(Sys.time() - began, units = "secs")))
  cbind(table = of$name, x[1:9])
}

chosen <- if (length(arguments) > 2) strsplit(arguments[3], ",")[[1]] else names(tables)
if (length(arguments) > 1) {
  compiled <- file.path(folder, "multilevel.rds")  # compiling takes minutes
  if (!file.exists(compiled)) {
    # Debian's package BH has no headers of its own.
    boost <- if (nzchar(system.file("include", "boost", package = "BH"))) NULL else "/usr/include"
    saveRDS(rstan::stan_model(file.path(here, "multilevel.stan"), boost_lib = boost), compiled)
  }
  model <- readRDS(compiled)
  for (name in chosen) {
    new <- reference(tables[[name]], model)
    old <- if (file.exists(file)) read.csv(file) else NULL
    all <- rbind(old[old$table != name, ], new)
    all[-(1:2)] <- lapply(all[-(1:2)], signif, 6)
    write.csv(all[order(match(all$table, names(tables))), ], file, row.names = FALSE)
  }
}
references <- if (file.exists(file)) read.csv(file) else data.frame(table = character())
for (of in tables) {
  export(of)
  mine <- references[references$table == of$name, -1]
  if (nrow(mine)) write.csv(mine, file.path(folder, paste0(of$name, ".reference.csv")), row.names = FALSE)
}
