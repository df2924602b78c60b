import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Client of connect.sh: fits a regression on a server of Spark Connect and reads its tables. */
public class ConnectClient {
  public static void main(String[] args) {
    String folder = args[1];
    SparkSession spark = SparkSession.builder().remote(args[0]).getOrCreate();
    Dataset<Row> rows =
        spark.read().option("header", true).option("inferSchema", true).csv(folder + "/t.csv");
    rows.write()
        .format("lampyris")
        .option("formula", "y ~ a + b")
        .option("sampler.draws", 100)
        .save(folder + "/remote");
    spark.read().format("lampyris").load(folder + "/remote").show(false);
    long draws = spark.read().format("lampyris").option("table", "draws").load(folder + "/remote").count();
    require(draws == 400, draws + " draws instead of 400");
    String refused = "";
    try {
      rows.write().format("lampyris").option("chains", "2").save(folder + "/never");
    } catch (Exception e) {
      refused = String.valueOf(e.getMessage());
    }
    require(refused.contains("did you mean 'sampler.chains'?"), "the refusal says: " + refused);
    System.exit(0); // without stop(), for which the server needs a library that Maven Central lacks
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      System.err.println("connect: " + what);
      System.exit(1);
    }
  }
}
