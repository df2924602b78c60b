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

/** Rows of a program, in memory or on executors. */
public record ProgramTable(Source source, Size size) {
  /** Source of the data that moves keep for each row in the whole run. */
  public interface Source {
    /** Returns the resident rows of a rule. */
    <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule);
  }

  /**
   * Size of a table.
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
          "a program draws rows by their place in blocks of equal size, but data.group_by gave the"
              + " blocks of this table different sizes. Prepare the table without data.group_by."
              + " Put a group's observations in the columns of one row.");
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
