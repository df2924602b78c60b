package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.RowQuestions;

/**
 * Answers a chain that carries its brightness along, from all rows: for an iteration in the midst
 * of a segment that the segment's rows do not suffice for.
 */
public record CarriedQuestions(FireflyPass pass)
    implements RowQuestions<
        BoundBlock,
        CarriedQuestions.Question,
        CarriedQuestions.Share,
        FireflyRows.Answered<CarriedBrightness>> {
  /**
   * A question about all rows.
   *
   * @param before which of them are bright
   */
  public record Question(Brightness before, FireflyQuestion asked) implements Serializable {}

  /** A place's share of an answer. */
  public record Share(CarriedBrightness bright, FireflyShare sums) implements Serializable {}

  @Override
  public List<Share> share(Place<BoundBlock> place, List<Question> questions) {
    Rows<BoundBlock> rows = Rows.whole(place.blocks());
    return questions.stream().map(question -> share(place, rows, question)).toList();
  }

  private Share share(Place<BoundBlock> place, Rows<BoundBlock> rows, Question question) {
    FireflyQuestion asked = question.asked();
    FireflyShare.Sum sums = new FireflyShare.Sum(place.from(), place.to());
    Brightness after =
        pass.answer(
            rows,
            asked.candidates(pass.streams(), place.blocks(), DrawnEvents.Windows.NONE),
            question.before().ofBlocks(place.from(), place.to()),
            asked,
            sums);
    return new Share(CarriedBrightness.of(after, rows), sums.end());
  }

  @Override
  public FireflyRows.Answered<CarriedBrightness> join(Question question, List<Share> shares) {
    return new FireflyRows.Answered<>(
        CarriedBrightness.join(shares.stream().map(Share::bright).toList()),
        FireflyAnswer.of(
            question.asked(), shares.stream().map(Share::sums).toList(), pass.dimension()));
  }
}
