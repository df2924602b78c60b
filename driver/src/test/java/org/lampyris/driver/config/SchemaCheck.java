package org.lampyris.driver.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The schema of job files, as a validator that is not ours reads it. */
public final class SchemaCheck {
  private final JsonSchema schema =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JobSchema.asJson());

  /** Returns what is wrong with a job file, each with its place. */
  public List<String> problems(String yaml) {
    try {
      JsonNode job = new ObjectMapper(new YAMLFactory()).readTree(yaml);
      return problems(job.isMissingNode() ? NullNode.getInstance() : job);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what is wrong with a configuration, each with its place. */
  public List<String> problems(JsonNode job) {
    return schema.validate(job).stream().map(Object::toString).sorted().toList();
  }
}
