package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.prior.UnivariatePrior.Cauchy;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;
import org.lampyris.bounds.prior.UnivariatePrior.Laplace;
import org.lampyris.bounds.prior.UnivariatePrior.Normal;
import org.lampyris.bounds.prior.UnivariatePrior.StudentT;
import org.lampyris.bounds.prior.UnivariatePrior.Uniform;

class PriorParserTest {

  @Test
  void everyFormIsRead() {
    assertEquals(new Normal(0, 2.5), PriorParser.parse("normal(0, 2.5)"));
    assertEquals(new Laplace(-1, 1e-3), PriorParser.parse("laplace(-1,1e-3)"));
    assertEquals(new Cauchy(0, 10), PriorParser.parse("  Cauchy ( 0 , +10. ) "));
    assertEquals(new StudentT(4, 0, 2.5), PriorParser.parse("STUDENT_T(4,0,2.5)"));
    assertEquals(new Uniform(-1, 1), PriorParser.parse("uniform(-1, 1)"));
    assertEquals(new Flat(), PriorParser.parse("flat"));
    assertEquals(new Flat(), PriorParser.parse("flat()"));
    UnivariatePrior halfNormal = new HalfPrior(new Normal(0, 10));
    assertEquals(halfNormal, PriorParser.parse("half_normal(0, 10)"));
    assertEquals(halfNormal, PriorParser.parse("half_normal(10)"));
    assertEquals(new HalfPrior(new Cauchy(0, 3)), PriorParser.parse("half_cauchy( 3 )"));
    UnivariatePrior halfStudent = new HalfPrior(new StudentT(4, 0, 2));
    assertEquals(halfStudent, PriorParser.parse("half_student_t(4, 2)"));
    assertEquals(halfStudent, PriorParser.parse("half_student_t(4, 0, 2)"));
    assertEquals(new ExponentialPrior(0.1), PriorParser.parse("exponential(0.1)"));
    assertEquals(new GammaPrior(2, 0.1), PriorParser.parse("gamma(2, 0.1)"));
    assertEquals(new LogScalePrior(halfNormal), PriorParser.parse("log_scale(half_normal(10))"));
    assertEquals(new LogScalePrior(new Flat()), PriorParser.parse("log_scale( flat )"));
  }

  @ParameterizedTest
  @MethodSource("org.lampyris.bounds.prior.UnivariatePriorTest#all")
  void whatIsPrintedIsReadBack(UnivariatePrior prior) {
    assertEquals(prior, PriorParser.parse(prior.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "normal(0; 2.5)  | 9  | expected \",\", found \"; 2.5)\"",
        "normal(0, x)    | 11 | expected a number, found \"x)\"",
        "normal(0, 1d)   | 12 | expected \")\", found \"d)\"",
        "normal(0, NaN)  | 11 | expected a number, found \"NaN)\"",
        "normal(0, 2.5   | 14 | expected \")\", found the end",
        "normal(0)       | 9  | expected \",\", found \")\"",
        "normal(0, 1, 2) | 12 | expected \")\", found \", 2)\"",
        "normal(0, 1) x  | 14 | expected the end, found \"x\"",
        "normal          | 7  | expected \"(\", found the end",
        "normall(0, 1)   | 1  | there is no prior named \"normall\"",
        "'normal(0, 0)'  | 1  | the sd 0.0 must be above 0",
        "uniform(2, 1)   | 1  | the lower end 2.0 must be below the upper end 1.0",
        "'student_t(4, 1e999, 1)' | 1 | the location Infinity must be a finite number",
        "'flat(1)'       | 6  | expected \")\", found \"1)\"",
        "half_normal()   | 13 | expected a number, found \")\"",
        "half_normal(1, 2) | 1 | the location 1.0 of a half prior must be 0, or absent",
        "half_cauchy(0, 1, 2) | 17 | expected \")\", found \", 2)\"",
        "'horseshoe(0, 1)' | 12 | expected \")\", found \", 1)\"",
        "exponential(0)  | 1  | the rate 0.0 must be above 0",
        "log_scale(normal(0, 1)) | 1 | the prior of a scale has no negative values, unlike"
            + " normal(0.0, 1.0)",
        "log_scale(half_normal(0)) | 11 | the sd 0.0 must be above 0",
        "log_scale(flat  | 15 | expected \")\", found the end",
        "''              | 1  | expected the name of a prior, found the end",
        "2.5             | 1  | expected the name of a prior, found \"2.5\"",
      })
  void whatIsWrongIsShownWithItsPlace(String text, int position, String what) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> PriorParser.parse(text));
    String expected =
        "cannot read the prior \"%s\": at position %d, %s; known forms are normal(mean, sd), "
            .formatted(text, position, what);
    assertTrue(String.valueOf(e.getMessage()).startsWith(expected), e.getMessage());
  }

  @Test
  void productPriorsSumTheirFactors() {
    ProductPrior prior = ProductPrior.parse(List.of("normal(0, 2)", "flat", "student_t(3, 0, 1)"));
    double[] theta = {1, 50, -2};
    double[] gradient = {10, 20, 30};
    StudentT t = new StudentT(3, 0, 1);
    double expected = new Normal(0, 2).logDensity(1) + t.logDensity(-2);
    assertEquals(expected, prior.addGradient(theta, gradient), 1e-15);
    assertEquals(expected, prior.logDensity(theta), 1e-15);
    assertEquals(10 - 0.25, gradient[0]);
    assertEquals(20, gradient[1]);
    assertEquals(30 + t.derivative(-2), gradient[2]);
    double[] diagonal = {1, 1, 1};
    prior.addCurvature(theta, diagonal);
    assertEquals(0.75, diagonal[0]);
    assertEquals(1, diagonal[1]);
    assertEquals(1 + t.secondDerivative(-2), diagonal[2]);
    assertEquals(3, prior.dimension());
    assertTrue(prior.factors().get(1) instanceof Flat);
    assertEquals(
        -2 * Math.log(2), ProductPrior.shared(new Uniform(0, 2), 2).logDensity(new double[2]));
  }

  @Test
  void boundsAndKinksAreThoseOfTheFactors() {
    ProductPrior prior =
        ProductPrior.parse(List.of("uniform(-1, 3)", "laplace(2, 0.5)", "normal(0, 1)"));
    assertEquals(-1, prior.lower(0));
    assertEquals(3, prior.upper(0));
    assertEquals(Double.NEGATIVE_INFINITY, prior.lower(1));
    assertEquals(Double.POSITIVE_INFINITY, prior.upper(2));
    assertEquals(2, prior.kink(1));
    assertEquals(2, prior.kinkSize(1));
    assertTrue(Double.isNaN(prior.kink(2)));
    assertEquals(0, prior.kinkSize(0));
  }
}
