#include "config/options_doc.hpp"

#include <fmt/format.h>

#include <string_view>

#include "config/option_table.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kIntroduction = R"(# Options

<!-- Made from the table in src/config/option_table.cpp: change it there, then run
     build/bin/codecarbon config --markdown > docs/options.md -->

Every option can be given in four places; the first that has it wins:

1. as a flag of the command or a keyword (C++: a field of `codecarbon::Options`),
2. in the environment,
3. in `.codecarbon.config` in the working directory,
4. in `.codecarbon.config` in the home directory.

A configuration file is an INI file with one section:

```ini
[codecarbon]
# Comments stand on lines of their own. A value is the rest of its line, '%' and ';' included.
project_name = my project
measure_power_secs = 1
country_iso_code = FRA
```

A value that is not accepted is an error before anything is measured; it names the option, the value,
where it came from and what is accepted. So is a configuration file that cannot be read. In files and
environment an empty value counts as not set (`[]` is the empty list), and keys that are not listed
here are ignored.
)";

std::string flags_of(const OptionRow& row) {
  const std::string flag = flag_name(row);
  if (row.is_boolean) return fmt::format("`{}` or `--no-{}`", flag, flag.substr(2));
  return fmt::format("`{} {}`", flag, row.placeholder);
}

std::string default_of(const OptionRow& row) {
  return row.default_text.empty() ? "none" : fmt::format("`{}`", row.default_text);
}

std::string entry(const OptionRow& row) {
  return fmt::format(
      "\n### {0}\n\n{1}\n\n- accepted: {2}\n- default: {3}\n- keyword and file key: `{0}`\n"
      "- flag: {4}\n- environment: `{5}`\n",
      row.name, row.help, row.accepted, default_of(row), flags_of(row), environment_name(row));
}

}  // namespace

std::string options_markdown() {
  std::string page(kIntroduction);
  std::string_view section;
  for (const OptionRow& row : option_table()) {
    if (row.section != section) page += fmt::format("\n## {}\n", row.section);
    section = row.section;
    page += entry(row);
  }
  return page;
}

}  // namespace codecarbon
