package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A question with the job that answers its kind, for chains that ask questions of several kinds:
 * one {@link QuestionBatcher} gathers them all, and those of a kind become one job.
 *
 * @param job answers questions of one kind. The same object for all questions of the kind.
 */
public record JobQuestion<Q, A>(Function<List<Q>, List<A>> job, Q question) {
  /** Returns what gathers the questions of all chains. */
  public static QuestionBatcher<JobQuestion<?, ?>, Object> batcher(int chains) {
    return new QuestionBatcher<>(chains, JobQuestion::answerAll);
  }

  /** Asks, and waits for the answer. */
  @SuppressWarnings("unchecked") // the job's own answer to this question
  public A ask(QuestionBatcher<JobQuestion<?, ?>, Object> batcher, int chain) {
    return (A) batcher.ask(chain, this);
  }

  private static List<Object> answerAll(List<JobQuestion<?, ?>> questions) {
    List<Object> answers = new ArrayList<>(Collections.nCopies(questions.size(), questions));
    questions.stream()
        .map(JobQuestion::job)
        .distinct()
        .forEach(job -> answerKind(job, questions, answers));
    return answers;
  }

  @SuppressWarnings("unchecked") // questions of one job are of its kind
  private static <Q, A> void answerKind(
      Function<List<Q>, List<A>> job, List<JobQuestion<?, ?>> questions, List<Object> answers) {
    int[] own =
        IntStream.range(0, questions.size())
            .filter(i -> questions.get(i).job().equals(job))
            .toArray();
    List<Q> asked = IntStream.of(own).mapToObj(i -> (Q) questions.get(i).question()).toList();
    List<A> answered = job.apply(asked);
    for (int k = 0; k < own.length; k++) {
      answers.set(own[k], answered.get(k));
    }
  }
}
