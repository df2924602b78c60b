# Writes what brms makes of the formulas of formula.R, from make_standata and its frame of effects of groups:
# src/test/resources/formula/brms.csv. A line is
#   formula, "X",                    name of the column, sum of n v_n, sum of n^2 v_n
#   formula, block and its group,    name of the effect, sum of n v_n, sum of n^2 v_n, levels, sum of n l_n
# with v_n the column's value in row n from 1, and l_n the number of its level, numbered as levels appear.
# Formulas that brms refuses, or makes other columns of, are listed in its last lines, with the word
# refused or differs. FormulaFixturesTest reads the file.
# Made by R 4.2.2 and brms 2.18.0, after formula.R. Run it in the module's folder: Rscript src/test/r/formula-brms.R
suppressMessages(library(brms))
library(splines)
folder <- "src/test/resources/formula"
d <- read.csv(file.path(folder, "table.csv"), check.names = FALSE, stringsAsFactors = TRUE)
formulas <- unique(read.csv(file.path(folder, "columns.csv"), header = FALSE)[[1]])
random <- unique(read.csv(file.path(folder, "random.csv"), header = FALSE,
  col.names = paste0("V", 1:12), fill = TRUE)[[1]])
# brms wants names without blanks, and the words within C() as data.
names(d) <- sub(" ", "", names(d))
contrasts <- list(sum = 0, helmert = 0, poly = 0, treatment = 0, contr.sum = contr.sum)
quoted <- function(s) paste0("\"", gsub("\"", "\"\"", s), "\"")
n <- seq_len(nrow(d))
sums <- function(v) sprintf("%.17g", c(sum(n * v), sum(n^2 * v)))
out <- c()
rest <- c()
add <- function(...) out <<- c(out, paste(c(...), collapse = ","))
for (text in c(formulas, random)) {
  formula <- as.formula(gsub("`my w`", "myw", text))
  data <- tryCatch(suppressWarnings(make_standata(formula, d, data2 = contrasts)),
    error = function(e) conditionMessage(e))
  if (is.character(data)) {
    rest <- c(rest, paste(quoted(text), "refused", quoted(gsub("\n.*", "", data)), sep = ","))
    next
  }
  fixed <- lme4::nobars(formula)
  m <- model.matrix(fixed, d)
  if (!identical(dim(data$X), dim(m)) || max(abs(data$X - m)) > 1e-12 * (1 + max(abs(m)))) {
    rest <- c(rest, paste(quoted(text), "differs", quoted(paste(colnames(data$X), collapse = " ")), sep = ","))
    next
  }
  for (j in seq_len(ncol(data$X))) add(quoted(text), quoted("X"), quoted(colnames(data$X)[j]), sums(data$X[, j]))
  if (!text %in% random) next
  frame <- brms:::tidy_ranef(brmsterms(bf(formula)), data = d)
  for (k in seq_len(nrow(frame))) {
    id <- frame$id[k]
    # Of one term the effects are correlated: a block. Without correlation each is a block of its own.
    block <- if (frame$cor[k]) id else paste0(id, ".", frame$cn[k])
    level <- data[[paste0("J_", id)]]
    add(quoted(text), quoted(paste(block, frame$group[k])), quoted(frame$coef[k]),
      sums(data[[paste0("Z_", id, "_", frame$cn[k])]]), data[[paste0("N_", id)]], sum(n * match(level, unique(level))))
  }
}
writeLines(c(out, rest), file.path(folder, "brms.csv"))
cat(length(unique(sub("\",.*", "", out))), "formulas;", rest, sep = "\n")
