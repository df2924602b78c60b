package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.kernel.Slice.Directions;
import org.lampyris.samplers.random.Streams;

class SliceTest {
  private static final int SHRINKS_AND_STEPS = 60;

  @Nested
  class SweepWithoutSteppingOut extends Contract {
    SweepWithoutSteppingOut() {
      super(3, Directions.COORDINATE, 1, 1);
    }
  }

  @Nested
  class RandomCoordinatesWithSteppingOut extends Contract {
    RandomCoordinatesWithSteppingOut() {
      super(0.7, Directions.RANDOM_COORDINATE, 2, 4);
    }
  }

  @Nested
  class RandomDirectionsWithSteppingOut extends Contract {
    RandomDirectionsWithSteppingOut() {
      super(1.2, Directions.RANDOM, 2, 3);
    }
  }

  private abstract static class Contract extends ThetaKernelContract {
    private final Slice slice;

    Contract(double width, Directions directions, int updates, int limit) {
      this.slice = new Slice(Preconditioner.identity(3), width, directions, updates, limit);
    }

    @Override
    ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
      return new Slice(
          preconditioner, slice.stepSize(), slice.directions(), slice.updates(), slice.limit());
    }

    @Override
    int questionsAtAKnownPoint() {
      int lines = slice.directions() == Directions.COORDINATE ? 3 : slice.updates();
      return lines * SHRINKS_AND_STEPS;
    }
  }

  /** One question for each point of a bracket, the first with the current point. */
  @Test
  void withoutSteppingOutEveryQuestionIsAPointOfABracket() {
    NormalTarget target = new NormalTarget(new double[3], Preconditioner.identity(3));
    Slice slice = new Slice(Preconditioner.identity(3), 3, Directions.COORDINATE, 1, 1);
    Point point = Point.at(new double[3]);
    for (int i = 0; i < 100; i++) {
      long questions = target.questions();
      long points = target.points();
      ThetaKernel.Step step =
          slice.step(
              target,
              Point.at(point.theta()),
              new Streams(2).stream(Streams.Purpose.THETA, 1, i, 0));
      point = step.point();
      assertEquals(target.points() - points, target.questions() - questions + 1);
      assertEquals(step.tuning() == 1, target.questions() - questions == 3);
    }
  }
}
