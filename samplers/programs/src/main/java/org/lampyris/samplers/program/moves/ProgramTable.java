package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** The rows that a program looks at, in memory or on executors. */
public record ProgramTable(Source source, Size size) {
  /** Makes what moves keep of each row for the whole run. */
  public interface Source {
    /** Returns the rows as they are kept by a rule. */
    <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule);
  }

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
    return new ProgramTable(
        new Source() {
          @Override
          public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
            return InMemoryContext.rows(blocks, rule);
          }
        },
        new Size(rows, blocks.get(0).rows()));
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
        new Source() {
          @Override
          public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
            return context.resident(rule);
          }
        },
        new Size(size.rows(), size.blockRows()));
  }
}
