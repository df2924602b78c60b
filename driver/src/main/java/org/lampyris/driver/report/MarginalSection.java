package org.lampyris.driver.report;

import java.io.IOException;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.MarginalEffects;
import org.lampyris.driver.predict.MarginalVariable;

/** Report section on the effects of the first columns on the expected response. */
final class MarginalSection {
  private static final int SHOWN = 6;
  private static final int DRAWS = 400;
  private static final int POINTS = 40;

  private MarginalSection() {}

  /** Returns the section; nothing without the run's table, or where effects are not known. */
  static String of(RunFolder run) throws IOException {
    MarginalEffects.Result result;
    List<String> all;
    try {
      RunOutput.Fitted fitted = run.model();
      all = MarginalEffects.names(fitted);
      result =
          MarginalEffects.known(
              fitted,
              run.draws(),
              new MarginalEffects.How(
                  all.stream().limit(SHOWN).toList(),
                  MarginalEffects.Base.MEANS,
                  false,
                  false,
                  DRAWS,
                  1,
                  POINTS,
                  0.9));
    } catch (UserException e) {
      return ""; // The section on checks says that the table is gone.
    }
    if (result == null || result.columns().isEmpty()) {
      return "";
    }
    Html html = new Html().section("marginal", "Effects on the response");
    html.faint(
        "The %s over each column, with 90 %% intervals. Other numbers are at their means, other factors at their reference levels, and effects of groups are left out. %slampyris effects adds contrasts and slopes."
            .formatted(
                result.response(),
                all.size() > SHOWN ? "The first %d columns are shown. ".formatted(SHOWN) : ""));
    html.open("div", "grid");
    for (MarginalVariable column : result.columns()) {
      html.markup(MarginalFiles.chart(result, column).svg());
    }
    return html.close("div").close("section").toString();
  }
}
