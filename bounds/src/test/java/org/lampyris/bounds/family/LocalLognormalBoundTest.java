package org.lampyris.bounds.family;

class LocalLognormalBoundTest extends LocalWeibullBoundTest {
  @Override
  protected Response.Time.Residual error() {
    return Response.Time.Residual.NORMAL;
  }
}
