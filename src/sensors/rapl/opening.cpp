#include "sensors/rapl/opening.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "sensors/rapl/explain.hpp"

namespace codecarbon::rapl {
namespace {

// A file that a program rewrites is empty for a moment; a real one answers at once or never.
constexpr int kFirstTries = 5;

bool is_denied(const Host& host, const std::string& path) {
  return ::faccessat(AT_FDCWD, host.resolve(path).c_str(), R_OK, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == EPERM);
}

std::string_view why_not(ReadFault fault) {
  switch (fault) {
    case ReadFault::empty:
      return "it is empty";
    case ReadFault::garbage:
      return "it does not hold a whole number of microjoules";
    case ReadFault::unreadable:
      return "the kernel refuses to read it";
    case ReadFault::gone:
      return "it is gone";
  }
  return {};
}

tl::expected<std::int64_t, ReadFault> first_reading(EnergyFile& file) {
  auto value = file.read();
  for (int tries = 1; !value && tries < kFirstTries; ++tries) value = file.read();
  return value;
}

std::optional<std::int64_t> read_range(const Host& host, const Zone& zone) {
  const auto text = host.read(zone.folder + "/max_energy_range_uj");
  const auto range = text ? parse_integer(*text) : std::nullopt;
  return range && *range > 0 ? range : std::nullopt;
}

}  // namespace

void Opening::open(Zone zone) {
  auto file = EnergyFile::open(host_, zone.energy_path());
  if (!file) {
    refuse(std::move(zone), file.error().message);
  } else if (const auto value = first_reading(*file); !value) {
    refuse(std::move(zone), std::string(why_not(value.error())));
  } else {
    keep(std::move(zone), std::move(*file), *value);
  }
}

void Opening::report(std::vector<Finding>& findings) const {
  if (!denied_.empty()) findings.push_back(explain_denial(*host_, denied_));
  findings.insert(findings.end(), unusable_.begin(), unusable_.end());
}

void Opening::refuse(Zone zone, std::string reason) {
  if (is_denied(*host_, zone.energy_path())) {
    denied_.push_back(std::move(zone));
    return;
  }
  const std::string where = host_->resolve(zone.energy_path()).string();
  unusable_.push_back({Finding::Outcome::unsupported,
                       zone.domain.name + " (" + where + ")",
                       std::move(reason),
                       {}});
}

void Opening::keep(Zone zone, EnergyFile file, std::int64_t value) {
  auto range = read_range(*host_, zone);
  // A range that the counter exceeds is no range, unless one reading was garbage.
  if (range && value > *range && first_reading(file).value_or(value) > *range) range.reset();
  file.set_limit(range);
  open_.push_back({std::move(zone), std::move(file), range});
}

}  // namespace codecarbon::rapl
