package org.lampyris.samplers.program.run;

/**
 * The rows of a place's blocks by their labels, ascending, so that a test that needs all rows of a
 * cluster does not look for them among all others. Made when it is first asked for; costs as much
 * as two looks at each label.
 *
 * @param rows of each block, those of label 0, of label 1, and so on
 * @param starts where the rows of each label begin
 */
record LabelIndex(int[][] rows, int[][] starts) {
  /**
   * Makes the index.
   *
   * @param latents the latent values of each block's rows
   * @param width how many latent values a row has
   * @param slot where among them the label is
   */
  static LabelIndex of(double[][] latents, int width, int slot) {
    int[][] rows = new int[latents.length][];
    int[][] starts = new int[latents.length][];
    for (int b = 0; b < latents.length; b++) {
      double[] values = latents[b];
      int labels = 0;
      for (int i = slot; i < values.length; i += width) {
        labels = Math.max(labels, (int) values[i] + 1);
      }
      int[] start = new int[labels + 1];
      for (int i = slot; i < values.length; i += width) {
        start[(int) values[i] + 1]++;
      }
      for (int label = 0; label < labels; label++) {
        start[label + 1] += start[label];
      }
      int[] next = start.clone();
      rows[b] = new int[values.length / width];
      for (int row = 0; row < rows[b].length; row++) {
        rows[b][next[(int) values[row * width + slot]]++] = row;
      }
      starts[b] = start;
    }
    return new LabelIndex(rows, starts);
  }

  /** Visits the parts of all rows of a label, as {@link Selected#all} would. */
  void visit(int label, int parts, Selected.Visitor visitor) {
    for (int b = 0; b < rows.length; b++) {
      int end = label + 1 < starts[b].length ? starts[b][label + 1] : 0;
      for (int i = end == 0 ? 0 : starts[b][label]; i < end; i++) {
        for (int part = 0; part < parts; part++) {
          visitor.part(b, rows[b][i], part);
        }
      }
    }
  }
}
