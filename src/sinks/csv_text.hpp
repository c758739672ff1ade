#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace codecarbon {

using CsvRecord = std::vector<std::string>;

/// One record as RFC 4180 text with its line end; fields are quoted only where they must be.
std::string encode_csv(std::span<const std::string_view> fields, std::string_view line_end = "\n");

/// Reads records from text that comes in pieces. Takes what Python's csv and pandas take: quotes,
/// line ends inside quotes, LF and CRLF, a BOM at the start; skips empty lines; never fails,
/// whatever the bytes are.
class CsvReader {
 public:
  /// `at_start`: the first byte is the first of a file, where a BOM may stand.
  explicit CsvReader(bool at_start = true) : bom_(at_start ? Bom{0} : kNoBom) {}

  /// Takes bytes up to the end of one record and returns how many. `done` then tells whether the
  /// record is complete; if not, more bytes are wanted.
  std::size_t feed(std::string_view bytes);
  /// The input is at its end: completes a record that lacks its line end, or the second half of it.
  /// False if there is none.
  bool finish();

  bool done() const { return done_; }
  /// Whether what was fed ends inside a quoted field, so that whatever comes next belongs to it.
  bool in_quotes() const { return state_ == State::quoted; }
  /// The complete record; the reader is then ready for the next one.
  CsvRecord take();
  /// About the record that was completed last: how its line ended (empty at the end of input).
  std::string_view line_end() const { return line_end_; }
  /// Whether all quotes stood where RFC 4180 has them. Text that is read from the middle of a
  /// quoted field is not strict.
  bool strict() const { return strict_; }

 private:
  enum class State : std::uint8_t { start, plain, quoted, quote_in_quoted };
  using Bom = std::uint8_t;
  static constexpr Bom kNoBom = 3;

  void put(char c);
  void put_after_bom(char c);
  void put_unquoted(char c);
  void put_quoted(char c);
  void put_text(char c);
  void end_field();
  void end_record(std::string_view line_end);

  CsvRecord fields_;
  std::string field_;
  std::string_view line_end_;
  Bom bom_;  ///< how many bytes of a BOM were seen; kNoBom when none is looked for any more
  State state_ = State::start;
  bool carriage_return_ = false;  ///< one was seen that may belong to the line end
  bool strict_ = true;
  bool begun_ = false;  ///< the record has at least one byte
  bool done_ = false;
};

/// All records of a whole text.
std::vector<CsvRecord> decode_csv(std::string_view text);

}  // namespace codecarbon
