#include "sensors/rapl/zones.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sensors/rapl/zone_name.hpp"

namespace codecarbon::rapl {
namespace {

constexpr std::string_view kRegisters = "intel-rapl";
constexpr int kDeepest = 3;  // control type, package, part: a tree is never deeper

/// Zone folders by their name ("intel-rapl:0:1"), in the order in which they were met.
class TreeWalk {
 public:
  explicit TreeWalk(const Host& host) : host_(host) { visit(std::string(kPowercap), 0); }

  std::vector<std::pair<std::string, std::string>> zones;  // name, folder

 private:
  void visit(const std::string& folder, int depth) {
    if (depth == kDeepest) return;
    for (const auto& name : host_.list(folder)) {
      if (!name.starts_with(kRegisters) || seen(name)) continue;
      const std::string child = folder + "/" + name;
      zones.emplace_back(name, child);
      visit(child, depth + 1);
    }
  }

  bool seen(const std::string& name) const {
    return std::any_of(zones.begin(), zones.end(),
                       [&](const auto& zone) { return zone.first == name; });
  }

  const Host& host_;
};

std::string control_of(const std::string& name) {
  return name.substr(0, name.find(':'));
}

/// "intel-rapl:0" of "intel-rapl:0:1"; empty for a zone at the top.
std::string parent_of(const std::string& name) {
  const auto last = name.rfind(':');
  const auto first = name.find(':');
  return last == first ? std::string() : name.substr(0, last);
}

/// Gives zones their places. A part lies where its parent lies; a zone at the top that says no
/// number is the next one of its kind.
class Placing {
 public:
  explicit Placing(const Host& host) : host_(host) {}

  Result<Zone> place(const std::string& name, const std::string& folder) {
    const auto text = host_.read(folder + "/name");
    if (!text) return tl::unexpected(text.error());
    const std::string title = text->substr(0, text->find('\n'));
    const auto parsed = parse_zone_name(title);
    if (!parsed) {
      return fail(ErrorKind::format, "the zone is called \"" + title +
                                         "\", which is no part of a processor that is known");
    }
    Zone zone{folder, control_of(name), domain(name, title, *parsed)};
    placed_[name] = zone.domain;
    return zone;
  }

 private:
  Domain domain(const std::string& name, const std::string& title, const ZoneName& parsed) {
    if (parsed.index) return {parsed.kind, *parsed.index, parsed.die, title};
    const auto parent = placed_.find(parent_of(name));
    if (parent != placed_.end()) {
      const Domain& package = parent->second;
      return {parsed.kind, package.index, package.die, package.name + "/" + title};
    }
    return {parsed.kind, unnumbered_[{control_of(name), parsed.kind}]++, 0, title};
  }

  const Host& host_;
  std::map<std::string, Domain> placed_;
  std::map<std::pair<std::string, DomainKind>, int> unnumbered_;
};

}  // namespace

std::vector<Zone> find_zones(const Host& host, std::vector<Finding>& findings) {
  TreeWalk walk(host);
  std::erase_if(walk.zones,
                [](const auto& zone) { return zone.first.find(':') == std::string::npos; });
  std::stable_partition(walk.zones.begin(), walk.zones.end(),
                        [](const auto& zone) { return control_of(zone.first) == kRegisters; });
  Placing placing(host);
  std::vector<Zone> zones;
  for (const auto& [name, folder] : walk.zones) {
    auto zone = placing.place(name, folder);
    if (zone) {
      zones.push_back(std::move(*zone));
    } else {
      findings.push_back(
          {Finding::Outcome::unsupported, host.resolve(folder).string(), zone.error().message, {}});
    }
  }
  return zones;
}

}  // namespace codecarbon::rapl
