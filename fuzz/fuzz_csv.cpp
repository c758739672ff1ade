// The CSV reader: any bytes, in any pieces, give the same records; what it gives can be written and
// read again.

#include <algorithm>
#include <string_view>
#include <vector>

#include "require.hpp"
#include "sinks/csv_text.hpp"

namespace codecarbon::fuzz {
namespace {

std::vector<CsvRecord> decode_in_pieces(std::string_view text, std::size_t piece) {
  std::vector<CsvRecord> records;
  CsvReader reader;
  while (!text.empty()) {
    std::string_view bytes = text.substr(0, piece);
    const std::size_t taken = reader.feed(bytes);
    require(taken <= bytes.size());
    require(taken > 0 || reader.done());
    text.remove_prefix(taken);
    if (reader.done()) records.push_back(reader.take());
  }
  if (reader.finish()) records.push_back(reader.take());
  return records;
}

std::string encode(const CsvRecord& record) {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  return encode_csv(fields);
}

void check(std::string_view text) {
  const auto records = decode_csv(text);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{64}}) {
    require(decode_in_pieces(text, piece) == records);
  }
  std::string again;
  for (const auto& record : records) {
    require(!record.empty());
    again += encode(record);
  }
  require(decode_csv(again) == records);
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codecarbon::fuzz::check(codecarbon::fuzz::as_text(data, size));
  return 0;
}
