package org.lampyris.executors.testdata;

import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.firefly.FireflyAnswer;
import org.lampyris.samplers.firefly.FireflyQuestion;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;

/**
 * The rows as a chain of Firefly sees them that asks whatever keeps their brightness.
 *
 * @param chain the chain's number
 * @param batcher gathers the chains' questions
 */
public record AskedRows(int chain, QuestionBatcher<Asked<FireflyQuestion>, FireflyAnswer> batcher)
    implements FireflyRows<Generation> {
  @Override
  public Generation dark() {
    return Generation.first(chain);
  }

  @Override
  public Answered<Generation> ask(Generation before, FireflyQuestion question) {
    return new Answered<>(before.next(), batcher.ask(chain, new Asked<>(before, question)));
  }
}
