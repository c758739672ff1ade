// Configuration files: any bytes give values or one line that says what is wrong, and so does every
// option that is given such a value.

#include "codecarbon/options.hpp"
#include "config/config_file.hpp"
#include "config/option_table.hpp"
#include "require.hpp"

namespace codecarbon::fuzz {
namespace {

/// What an option takes it also shows, and takes what it shows.
void check_option(const OptionRow& row, std::string_view text) {
  Options options;
  if (const auto taken = row.set(options, text); !taken) {
    require_message(taken.error());
    return;
  }
  const std::string shown = row.show(options);
  Options again;
  require(row.set(again, shown).has_value());
  require(row.show(again) == shown);
}

void check(std::string_view text) {
  const auto values = parse_config_file(text, "fuzz.config");
  if (!values) {
    require_message(values.error().message);
    return;
  }
  for (const auto& [key, value] : *values) {
    require(value.line >= 1);
    if (const OptionRow* row = find_option(key)) check_option(*row, value.text);
  }
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codecarbon::fuzz::check(codecarbon::fuzz::as_text(data, size));
  return 0;
}
