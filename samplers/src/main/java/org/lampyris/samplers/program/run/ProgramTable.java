package org.lampyris.samplers.program.run;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.memory.InMemoryContext;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** The rows that a program looks at, in memory or on executors. */
public record ProgramTable(ResidentRows<PlainBlock> rows, Size size) {
  /**
   * How large a table is.
   *
   * @param rows how many rows it has
   * @param blockRows how many rows a full block has
   */
  public record Size(long rows, int blockRows) implements Serializable {}

  /** Takes rows in memory; all blocks but the last are equally long. */
  public static ProgramTable inMemory(List<DataBlock> blocks) {
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    return new ProgramTable(InMemoryContext.plain(blocks), new Size(rows, blocks.get(0).rows()));
  }

  /** Takes the rows of a prepared table. */
  public static ProgramTable of(SamplingContext context) {
    SamplingContext.TableSize size = context.table();
    if (size.blockRows() == 0) {
      throw UserException.usage(
          "a program draws rows by their place in blocks of equal size, and data.group_by has made"
              + " the blocks of this table of different sizes; prepare it without data.group_by,"
              + " a group's observations in the columns of one row.");
    }
    return new ProgramTable(
        context.resident(PlainBlock::new), new Size(size.rows(), size.blockRows()));
  }
}
