package org.lampyris.samplers.firefly;

import java.util.List;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowCollector;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.Rows;

/** Brightness as the state that rows carry through a run. */
public record BrightnessEvolution(FireflyPass pass)
    implements RowEvolution<
        BoundBlock, BrightnessBitmap, FireflyQuestion, FireflyShare, FireflyAnswer> {
  @Override
  public BrightnessBitmap initial(Place<BoundBlock> place) {
    return BrightnessBitmap.dark(place);
  }

  @Override
  public Evolved<BrightnessBitmap, FireflyShare> evolve(
      Place<BoundBlock> place, BrightnessBitmap before, FireflyQuestion question) {
    FireflyShare.Sum share = new FireflyShare.Sum(place.from(), place.to());
    DrawnEvents<BoundBlock> candidates =
        question.candidates(pass.streams(), place.blocks(), before.windows());
    Brightness after =
        pass.answer(Rows.whole(place.blocks()), candidates, before.brightness(), question, share);
    return new Evolved<>(before.after(after, candidates.windows()), share.end());
  }

  @Override
  public FireflyAnswer join(FireflyQuestion question, List<FireflyShare> shares) {
    return FireflyAnswer.of(question, shares, pass.dimension());
  }

  /** Brings a chain's brightness together, with the data of the bright rows. */
  public static final class Collector
      implements RowCollector<BoundBlock, BrightnessBitmap, CarriedBrightness> {
    @Override
    public CarriedBrightness of(Place<BoundBlock> place, BrightnessBitmap state) {
      return CarriedBrightness.of(state.brightness(), Rows.whole(place.blocks()));
    }

    @Override
    public CarriedBrightness join(List<CarriedBrightness> places) {
      return CarriedBrightness.join(places);
    }
  }
}
