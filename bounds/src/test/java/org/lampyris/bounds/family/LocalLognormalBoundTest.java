package org.lampyris.bounds.family;

class LocalLognormalBoundTest extends LocalWeibullBoundTest {
  @Override
  protected Response.Time.Error error() {
    return Response.Time.Error.NORMAL;
  }
}
