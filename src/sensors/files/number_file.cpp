#include "sensors/files/number_file.hpp"

#include <array>
#include <cerrno>
#include <utility>

namespace codecarbon {
namespace {

ReadFault fault_of(int error) {
  switch (error) {
    case ENODEV:
    case ENOENT:
    case ENXIO:
    case ESTALE:
      return ReadFault::gone;
    default:
      return ReadFault::unreadable;
  }
}

bool is_gone(const tl::expected<std::int64_t, ReadFault>& value) {
  return !value && value.error() == ReadFault::gone;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

NumberFile::NumberFile(std::shared_ptr<const Host> host, std::string path, NumberFormat format,
                       std::optional<KeptFile> file)
    : host_(std::move(host)), path_(std::move(path)), format_(format), file_(std::move(file)) {}

Result<NumberFile> NumberFile::open(std::shared_ptr<const Host> host, std::string path,
                                    NumberFormat format) {
  auto file = host->open(path);
  if (!file) return tl::unexpected(file.error());
  return NumberFile(std::move(host), std::move(path), format, std::move(*file));
}

NumberFile NumberFile::awaited(std::shared_ptr<const Host> host, std::string path,
                               NumberFormat format) {
  return NumberFile(std::move(host), std::move(path), format, std::nullopt);
}

tl::expected<std::int64_t, ReadFault> NumberFile::read_once() const {
  if (!file_) return tl::unexpected(ReadFault::gone);
  std::array<char, 64> buffer;
  const auto text = file_->read(buffer);
  if (!text) return tl::unexpected(fault_of(text.error()));
  if (is_blank(*text)) return tl::unexpected(ReadFault::empty);
  const auto value = format_(*text);
  if (!value || *value < 0 || *value > limit_.value_or(INT64_MAX)) {
    return tl::unexpected(ReadFault::garbage);
  }
  return *value;
}

tl::expected<std::int64_t, ReadFault> NumberFile::read() {
  auto value = read_once();
  // A value that moved came from a file that lives, so only the others are looked into.
  const bool moved = value && last_ != *value;
  const bool lost = !moved && (is_gone(value) || file_->orphaned());
  if (lost) {
    auto fresh = host_->open(path_);
    if (!fresh) return tl::unexpected(ReadFault::gone);
    file_ = std::move(*fresh);
    value = read_once();
  }
  if (value) last_ = *value;
  return value;
}

}  // namespace codecarbon
