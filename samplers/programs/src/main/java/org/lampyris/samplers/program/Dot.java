package org.lampyris.samplers.program;

/** x_nᵀ times a global vector: a term of a form that is known, where other terms are code. */
public record Dot(Node vector) implements Term {
  @Override
  public double at(Given given) {
    return given.dot(vector);
  }
}
