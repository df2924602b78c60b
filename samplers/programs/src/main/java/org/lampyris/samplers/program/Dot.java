package org.lampyris.samplers.program;

/** Product x_nᵀ times a global vector: a term of known form, unlike terms given as code. */
public record Dot(Node vector) implements Term {
  @Override
  public double at(Given given) {
    return given.dot(vector);
  }
}
