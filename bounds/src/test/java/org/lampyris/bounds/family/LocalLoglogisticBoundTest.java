package org.lampyris.bounds.family;

class LocalLoglogisticBoundTest extends LocalWeibullBoundTest {
  @Override
  protected Response.Time.Error error() {
    return Response.Time.Error.LOGISTIC;
  }
}
