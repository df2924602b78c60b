package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.kernel.Slice.Directions;
import org.lampyris.samplers.random.Streams;

class SliceTest {
  private static final int SHRINKS_AND_STEPS = 60;

  @Nested
  class SweepWithoutSteppingOut extends ThetaKernelContract {
    @Override
    ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
      return new Slice(preconditioner, 3, Directions.COORDINATE, 1, 1);
    }

    @Override
    int questionsAtAKnownPoint() {
      return 3 * SHRINKS_AND_STEPS;
    }
  }

  @Nested
  class RandomCoordinatesWithSteppingOut extends ThetaKernelContract {
    @Override
    ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
      return new Slice(preconditioner, 0.7, Directions.RANDOM_COORDINATE, 2, 4);
    }

    @Override
    int questionsAtAKnownPoint() {
      return 2 * SHRINKS_AND_STEPS;
    }
  }

  @Nested
  class RandomDirectionsWithSteppingOut extends ThetaKernelContract {
    @Override
    ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
      return new Slice(preconditioner, 1.2, Directions.RANDOM, 2, 3);
    }

    @Override
    int questionsAtAKnownPoint() {
      return 2 * SHRINKS_AND_STEPS;
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
