// Regression with random effects, for references of Lampyris' posterior: priors and likelihoods as
// docs/reference.md and docs/priors.md give them. See multilevel.R.
data {
  int<lower=1> N;
  int<lower=0> K;
  matrix[N, K] X;               // columns minus their means, without the intercept
  int<lower=1, upper=10> family; // gaussian, robust, logistic, probit, binomial, poisson,
                                // negative_binomial, gamma, beta, ordinal
  vector[N] y;
  int whole[N];                 // y, where the label is a count or a class
  int trials[N];
  int<lower=2> C;               // classes of ordinal
  real m;                       // priors: intercept at the means normal(m, s),
  real<lower=0> s;
  vector<lower=0>[K] s_x;       // coefficients normal(0, s_x),
  real<lower=0> rate;           // own parameter exponential(rate), or half_cauchy(10) if rate is 0,
  int<lower=1> G;               // groupings: the first has Q effects, each other one an intercept
  int<lower=1> Q;
  int<lower=1> J[G];
  int level[N, G];
  matrix[N, Q] Z;
  vector<lower=0>[Q + G - 1] t; // sds half_student_t(3, 0, t), correlations lkj(1)
  int<lower=0, upper=1> centred[G];
}
transformed data {
  int own = family <= 2 || (family >= 7 && family <= 9);
  int others = sum(J) - J[1];
}
parameters {
  real alpha;
  vector[K] beta;
  vector<lower=0>[own] scale;
  vector<lower=0>[family == 10 ? C - 2 : 0] gap;
  vector<lower=0>[Q + G - 1] tau;
  cholesky_factor_corr[Q] L;
  matrix[Q, J[1]] z;
  vector[others] u;
}
transformed parameters {
  matrix[Q, J[1]] b = centred[1] ? z : diag_pre_multiply(tau[1:Q], L) * z;
}
model {
  vector[N] eta = X * beta + rows_dot_product(Z, b[, level[, 1]]');
  int from = 0;
  for (g in 2:G) {
    vector[J[g]] v = u[from + 1:from + J[g]];
    real sd_g = tau[Q + g - 1];
    from += J[g];
    v ~ normal(0, centred[g] ? sd_g : 1);
    eta += centred[g] ? v[level[, g]] : sd_g * v[level[, g]];
  }
  if (centred[1]) {
    matrix[Q, Q] factor = diag_pre_multiply(tau[1:Q], L);
    for (j in 1:J[1]) z[, j] ~ multi_normal_cholesky(rep_vector(0, Q), factor);
  } else {
    to_vector(z) ~ normal(0, 1);
  }
  alpha ~ normal(m, s);
  beta ~ normal(0, s_x);
  tau ~ student_t(3, 0, t);
  L ~ lkj_corr_cholesky(1);
  if (own) {
    if (rate > 0) scale ~ exponential(rate); else scale ~ cauchy(0, 10);
  }
  gap ~ exponential(1);
  if (family != 10) eta += alpha;
  if (family == 1) y ~ normal(eta, scale[1]);
  else if (family == 2) y ~ student_t(4, eta, scale[1]);
  else if (family == 3) whole ~ bernoulli_logit(eta);
  else if (family == 4) {
    for (n in 1:N) target += normal_lcdf(whole[n] == 1 ? eta[n] : -eta[n] | 0, 1);
  }
  else if (family == 5) whole ~ binomial_logit(trials, eta);
  else if (family == 6) whole ~ poisson_log(eta);
  else if (family == 7) whole ~ neg_binomial_2_log(eta, scale[1]);
  else if (family == 8) y ~ gamma(scale[1], scale[1] * exp(-eta));
  else if (family == 9) y ~ beta(inv_logit(eta) * scale[1], inv_logit(-eta) * scale[1]);
  else whole ~ ordered_logistic(eta, alpha + append_row(0, cumulative_sum(gap)));
}
