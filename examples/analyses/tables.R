# Writes the tables of docs/analyses.md and docs/session.md. They come with R and its packages MASS, lme4 and survival.
write.csv(MASS::birthwt, "birthwt.csv", row.names = FALSE)
write.csv(lme4::sleepstudy, "sleepstudy.csv", row.names = FALSE)
write.csv(MASS::housing, "housing.csv", row.names = FALSE)
write.csv(MASS::Insurance, "insurance.csv", row.names = FALSE)
write.csv(MASS::mcycle, "mcycle.csv", row.names = FALSE)
write.csv(survival::lung, "lung.csv", row.names = FALSE)
write.csv(lme4::cbpp, "cbpp.csv", row.names = FALSE)
