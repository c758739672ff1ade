#include "sinks/csv_text.hpp"

#include <utility>

namespace codecarbon {
namespace {

constexpr std::string_view kBomText = "\xEF\xBB\xBF";

bool needs_quotes(std::string_view field) {
  return field.find_first_of(",\"\r\n") != std::string_view::npos ||
         field.substr(0, kBomText.size()) == kBomText;
}

void append_field(std::string& text, std::string_view field) {
  if (!needs_quotes(field)) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

std::string encode_csv(std::span<const std::string_view> fields, std::string_view line_end) {
  std::string text;
  // A record of one empty field would be an empty line, which readers skip.
  if (fields.size() == 1 && fields.front().empty()) text = "\"\"";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    append_field(text, fields[i]);
  }
  text += line_end;
  return text;
}

std::size_t CsvReader::feed(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !done_) put(bytes[taken++]);
  return taken;
}

bool CsvReader::finish() {
  if (done_) return true;
  if (bom_ < kNoBom) {
    for (const char c : kBomText.substr(0, std::exchange(bom_, kNoBom))) put_after_bom(c);
  }
  if (!begun_) return false;
  end_record(carriage_return_ ? "\r\n" : "");
  return done_;
}

CsvRecord CsvReader::take() {
  done_ = begun_ = false;
  return std::exchange(fields_, {});
}

void CsvReader::put(char c) {
  if (bom_ < kNoBom) {
    if (c == kBomText[bom_]) {
      ++bom_;
      return;
    }
    for (const char seen : kBomText.substr(0, std::exchange(bom_, kNoBom))) put_after_bom(seen);
  }
  put_after_bom(c);
}

void CsvReader::put_after_bom(char c) {
  if (!begun_) {
    begun_ = true;
    strict_ = true;
  }
  if (carriage_return_) {
    if (c == '\n') return end_record("\r\n");
    put_text('\r');
  }
  if (state_ == State::quoted) return put_quoted(c);
  put_unquoted(c);
}

void CsvReader::put_quoted(char c) {
  if (c == '"') {
    state_ = State::quote_in_quoted;
  } else {
    field_ += c;
  }
}

void CsvReader::put_unquoted(char c) {
  switch (c) {
    case ',':
      return end_field();
    case '\n':
      return end_record("\n");
    case '\r':
      carriage_return_ = true;
      return;
    case '"':
      if (state_ == State::quote_in_quoted) field_ += c;
      if (state_ == State::plain) return put_text(c);
      state_ = State::quoted;
      return;
    default:
      put_text(c);
  }
}

/// A character of an unquoted field: also a stray quote in it, a lone carriage return, and what
/// follows a closing quote.
void CsvReader::put_text(char c) {
  if (c == '"' || state_ == State::quote_in_quoted || carriage_return_) strict_ = false;
  carriage_return_ = false;
  field_ += c;
  state_ = State::plain;
}

void CsvReader::end_field() {
  fields_.push_back(std::exchange(field_, {}));
  state_ = State::start;
}

void CsvReader::end_record(std::string_view line_end) {
  carriage_return_ = false;
  const bool empty_line = fields_.empty() && state_ == State::start;
  if (empty_line) {
    begun_ = false;
    return;
  }
  if (state_ == State::quoted) strict_ = false;
  end_field();
  line_end_ = line_end;
  done_ = true;
}

std::vector<CsvRecord> decode_csv(std::string_view text) {
  std::vector<CsvRecord> records;
  CsvReader reader;
  while (!text.empty()) {
    text.remove_prefix(reader.feed(text));
    if (reader.done()) records.push_back(reader.take());
  }
  if (reader.finish()) records.push_back(reader.take());
  return records;
}

}  // namespace codecarbon
