#include "sensors/gpu_hwmon/number_file.hpp"

#include <array>
#include <cerrno>
#include <utility>

namespace codecarbon::gpu_hwmon {
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

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

NumberFile::NumberFile(std::shared_ptr<const Host> host, std::string path)
    : host_(std::move(host)), path_(std::move(path)) {
  reopen();
}

bool NumberFile::reopen() {
  auto file = host_->open(path_);
  if (file) file_ = std::move(*file);
  return file.has_value();
}

tl::expected<std::int64_t, ReadFault> NumberFile::read_once() const {
  if (!file_) return tl::unexpected(ReadFault::gone);
  std::array<char, 64> buffer;
  const auto text = file_->read(buffer);
  if (!text) return tl::unexpected(fault_of(text.error()));
  if (is_blank(*text)) return tl::unexpected(ReadFault::empty);
  const auto value = parse_integer(*text);
  if (!value || *value < 0) return tl::unexpected(ReadFault::garbage);
  return *value;
}

tl::expected<std::int64_t, ReadFault> NumberFile::read() {
  auto value = read_once();
  if (value || value.error() != ReadFault::gone) return value;
  return reopen() ? read_once() : value;
}

}  // namespace codecarbon::gpu_hwmon
