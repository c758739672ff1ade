#include "sensors/rapl/energy_file.hpp"

#include <array>
#include <cerrno>
#include <utility>

namespace codecarbon::rapl {
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

EnergyFile::EnergyFile(std::shared_ptr<const Host> host, std::string path,
                       std::optional<KeptFile> file)
    : host_(std::move(host)), path_(std::move(path)), file_(std::move(file)) {}

Result<EnergyFile> EnergyFile::open(std::shared_ptr<const Host> host, std::string path) {
  auto file = host->open(path);
  if (!file) return tl::unexpected(file.error());
  return EnergyFile(std::move(host), std::move(path), std::move(*file));
}

EnergyFile EnergyFile::awaited(std::shared_ptr<const Host> host, std::string path) {
  return EnergyFile(std::move(host), std::move(path), std::nullopt);
}

tl::expected<std::int64_t, ReadFault> EnergyFile::read_once() const {
  if (!file_) return tl::unexpected(ReadFault::gone);
  std::array<char, 64> buffer;
  const auto text = file_->read(buffer);
  if (!text) return tl::unexpected(fault_of(text.error()));
  if (is_blank(*text)) return tl::unexpected(ReadFault::empty);
  const auto value = parse_integer(*text);
  if (!value || *value < 0 || *value > limit_uj_.value_or(INT64_MAX)) {
    return tl::unexpected(ReadFault::garbage);
  }
  return *value;
}

tl::expected<std::int64_t, ReadFault> EnergyFile::read() {
  auto value = read_once();
  // A value that moved came from a file that lives, so only the others are looked into.
  const bool moved = value && last_uj_ != *value;
  const bool lost = !moved && (is_gone(value) || file_->orphaned());
  if (lost) {
    auto fresh = host_->open(path_);
    if (!fresh) return tl::unexpected(ReadFault::gone);
    file_ = std::move(*fresh);
    value = read_once();
  }
  if (value) last_uj_ = *value;
  return value;
}

}  // namespace codecarbon::rapl
