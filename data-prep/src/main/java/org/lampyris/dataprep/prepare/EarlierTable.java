package org.lampyris.dataprep.prepare;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lampyris.dataprep.prepare.PrepareSpec.Layout;
import org.lampyris.dataprep.prepare.PrepareSpec.Standardize;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** What a table takes over from an earlier one that it is to be like. */
final class EarlierTable {
  private EarlierTable() {}

  /** Returns the specification with what an earlier table decides. */
  static PrepareSpec effective(PrepareSpec spec, TableSchema like) {
    Map<String, CategoricalSpec> categorical = new HashMap<>();
    for (Feature feature : like.features()) {
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        categorical.put(feature.name(), new CategoricalSpec(List.of(), null, null, null));
      }
    }
    return new PrepareSpec(
        spec.input(),
        spec.format(),
        spec.query(),
        spec.label(),
        spec.labelKind(),
        like.features().stream().map(Feature::name).toList(),
        categorical,
        spec.weight(),
        spec.offset(),
        like.intercept(),
        Standardize.valueOf(like.standardize().toUpperCase(Locale.ROOT)),
        Layout.valueOf(like.layout().name()),
        like.storage(),
        spec.blockRows() == 0 ? like.blockRows() : spec.blockRows(),
        spec.seed(),
        spec.like(),
        spec.output(),
        spec.overwrite());
  }
}
