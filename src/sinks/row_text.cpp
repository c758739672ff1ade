#include "sinks/row_text.hpp"

namespace codecarbon {

std::optional<ParsedRow> strict_row(std::string_view text) {
  CsvReader reader(false);
  ParsedRow row;
  row.size = reader.feed(text);
  row.ended = reader.done();
  if (!reader.finish() || !reader.strict()) return std::nullopt;
  row.fields = reader.take();
  return row;
}

}  // namespace codecarbon
