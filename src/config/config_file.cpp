#include "config/config_file.hpp"

#include <fmt/format.h>
#include <ini.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kSection = "codecarbon";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view kGrammar = "a line is [section], key = value, or a comment after '#'";

struct Trouble {
  int line;
  std::string_view remedy;
};

/// inih says where sections and keys are and which lines are neither. Values are taken from the
/// lines themselves, because inih's build decides whether it cuts long lines and what follows " ;".
class Parser {
 public:
  explicit Parser(std::string_view content) : content_(content) {
    if (content_.starts_with(kByteOrderMark)) content_.remove_prefix(kByteOrderMark.size());
    rest_ = content_;
  }

  void run() {
    const int bad_line = ini_parse_stream(&next_line, this, &on_key, this);
    if (bad_line > 0 && !(trouble_ && trouble_->line <= bad_line)) {
      trouble_ = Trouble{bad_line, kGrammar};
    }
  }

  const std::optional<Trouble>& trouble() const { return trouble_; }
  FileValues& values() { return values_; }
  std::string_view line(int number) const {
    std::string_view rest = content_;
    for (; number > 1; --number) rest.remove_prefix(rest.find('\n') + 1);
    return trimmed(rest.substr(0, rest.find('\n')));
  }

 private:
  /// As fgets, with two differences: the whole line is consumed even if only its beginning fits,
  /// so that lines are counted truly; and blanks in front are dropped, as inih would take an
  /// indented key for the continuation of the one before.
  static char* next_line(char* buffer, int size, void* parser) {
    auto& self = *static_cast<Parser*>(parser);
    if (self.rest_.empty() || size < 2) return nullptr;
    const auto end = self.rest_.find('\n');
    self.line_ = trimmed(self.rest_.substr(0, end));
    self.rest_.remove_prefix(end == std::string_view::npos ? self.rest_.size() : end + 1);
    ++self.line_number_;
    const auto fitting = self.line_.substr(0, static_cast<std::size_t>(size) - 2);
    char* last = std::copy(fitting.begin(), fitting.end(), buffer);
    // Always ended, also where it was cut: some builds of inih read on until they see the end.
    *last++ = '\n';
    *last = '\0';
    return buffer;
  }

  static int on_key(void* parser, const char* section, const char*, const char*) {
    auto& self = *static_cast<Parser*>(parser);
    if (*section == '\0') {
      self.report("a key must stand below a section: put [codecarbon] above it");
    } else if (section == kSection) {
      self.add_value();
    }
    return 1;
  }

  void add_value() {
    const auto separator = line_.find_first_of("=:");
    if (separator == std::string_view::npos) return report(kGrammar);
    const std::string key = lower(trimmed(line_.substr(0, separator)));
    const auto text = trimmed(line_.substr(separator + 1));
    if (!values_.emplace(key, FileValue{std::string(text), line_number_}).second) {
      report("the key was given before: keep one of the two");
    }
  }

  void report(std::string_view remedy) {
    if (!trouble_) trouble_ = Trouble{line_number_, remedy};
  }

  std::string_view content_;
  std::string_view rest_;
  std::string_view line_;
  int line_number_ = 0;
  FileValues values_;
  std::optional<Trouble> trouble_;
};

}  // namespace

Result<FileValues> parse_config_file(std::string_view content, std::string_view file) {
  Parser parser(content);
  parser.run();
  if (parser.trouble()) {
    const Trouble& trouble = *parser.trouble();
    return fail(ErrorKind::format,
                fmt::format("{} line {}: {} is not accepted: {}", file, trouble.line,
                            in_quotes(parser.line(trouble.line)), trouble.remedy));
  }
  return std::move(parser.values());
}

}  // namespace codecarbon
