#include "sensors/rapl/opening.hpp"

#include <utility>

#include "sensors/files/refusal.hpp"
#include "sensors/rapl/explain.hpp"

namespace codecarbon::rapl {
namespace {

std::optional<std::int64_t> read_range(const Host& host, const Zone& zone) {
  const auto text = host.read(zone.folder + "/max_energy_range_uj");
  const auto range = text ? parse_integer(*text) : std::nullopt;
  return range && *range > 0 ? range : std::nullopt;
}

/// True when energy of `zone` would silently be missing from what `readable` is counted in.
bool leaves_a_hole(const Domain& zone, const Domain& readable) {
  const bool holds_it = zone.kind == DomainKind::package && readable.kind == DomainKind::core;
  return readable.kind == zone.kind || holds_it;
}

}  // namespace

void Opening::open(Zone zone) {
  auto file = NumberFile::open(host_, zone.energy_path());
  if (!file) {
    refuse(zone, file.error().message);
    await(std::move(zone), std::nullopt);
  } else if (const auto value = first_reading(*file); !value) {
    refuse(zone, std::string(why_not(value.error())));
    await(std::move(zone), std::move(*file));
  } else {
    keep(std::move(zone), std::move(*file), *value);
  }
}

std::vector<OpenZone> Opening::take() {
  std::vector<bool> kept;
  for (const OpenZone& one : open_) kept.push_back(!one.awaited || is_missed(one.zone));
  std::vector<OpenZone> sensors;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (kept[i]) sensors.push_back(std::move(open_[i]));
  }
  open_.clear();
  return sensors;
}

/// Where nothing of the kind can be read a model serves better than a gap, and a second view of the
/// same place serves at once.
bool Opening::is_missed(const Zone& zone) const {
  bool hole = false;
  for (const OpenZone& other : open_) {
    if (other.awaited) continue;
    if (other.zone.domain.same_place(zone.domain)) return false;
    hole = hole || leaves_a_hole(zone.domain, other.zone.domain);
  }
  return hole;
}

void Opening::report(std::vector<Finding>& findings) const {
  if (!denied_.empty()) findings.push_back(explain_denial(*host_, denied_));
  findings.insert(findings.end(), unusable_.begin(), unusable_.end());
}

void Opening::refuse(const Zone& zone, std::string reason) {
  if (is_denied(*host_, zone.energy_path())) {
    denied_.push_back(zone);
    return;
  }
  const std::string where = host_->resolve(zone.energy_path()).string();
  unusable_.push_back({Finding::Outcome::unsupported,
                       zone.domain.name + " (" + where + ")",
                       std::move(reason),
                       {}});
}

void Opening::await(Zone zone, std::optional<NumberFile> file) {
  if (!file) file = NumberFile::awaited(host_, zone.energy_path());
  const auto range = read_range(*host_, zone);
  file->set_limit(range);
  open_.push_back({std::move(zone), std::move(*file), range, true});
}

void Opening::keep(Zone zone, NumberFile file, std::int64_t value) {
  auto range = read_range(*host_, zone);
  // A range that the counter exceeds is no range, unless one reading was garbage.
  if (range && value > *range && first_reading(file).value_or(value) > *range) range.reset();
  file.set_limit(range);
  open_.push_back({std::move(zone), std::move(file), range, false});
}

}  // namespace codecarbon::rapl
