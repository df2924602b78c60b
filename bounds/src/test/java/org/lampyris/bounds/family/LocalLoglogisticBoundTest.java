package org.lampyris.bounds.family;

class LocalLoglogisticBoundTest extends LocalWeibullBoundTest {
  @Override
  protected Response.Time.Residual error() {
    return Response.Time.Residual.LOGISTIC;
  }
}
