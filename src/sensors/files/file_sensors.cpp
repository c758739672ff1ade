#include "sensors/files/file_sensors.hpp"

#include <algorithm>
#include <utility>

#include "sensors/files/refusal.hpp"

namespace codecarbon {
namespace {

class FileProbe final : public Probe {
 public:
  FileProbe(SensorInfo sensor, NumberFile file, bool hangs)
      : sensor_(std::move(sensor)), file_(std::move(file)), hangs_(hangs) {}
  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    readings[0] = {tick, file_.read()};
  }
  bool may_hang() const override { return hangs_; }

 private:
  SensorInfo sensor_;
  NumberFile file_;
  bool hangs_;
};

/// One file, looked at once.
struct Opened {
  SensorInfo info;
  NumberFile file;
  bool may_hang;
  bool readable;
};

Opened open(const std::shared_ptr<const Host>& host, FileSensor sensor, const Denial& denial,
            std::vector<Finding>& findings) {
  sensor.info.source = host->resolve(sensor.path).string();
  Finding finding{
      Finding::Outcome::found, sensor.info.domain.name + " (" + sensor.info.source + ")", {}, {}};
  auto file = NumberFile::open(host, sensor.path, sensor.format);
  std::string trouble;
  if (!file) {
    trouble = file.error().message;
    file = NumberFile::awaited(host, sensor.path, sensor.format);
  } else if (const auto value = first_reading(*file); !value) {
    trouble = why_not(value.error());
  }
  if (is_denied(*host, sensor.path)) {
    finding.outcome = Finding::Outcome::denied;
    finding.reason = denial.reason;
    finding.remedy = denial.remedy;
  } else if (!trouble.empty()) {
    finding.outcome = Finding::Outcome::unsupported;
    finding.reason = trouble;
  }
  findings.push_back(std::move(finding));
  return {std::move(sensor.info), std::move(*file), sensor.may_hang, trouble.empty()};
}

bool stands_beside(const Opened& one, const std::vector<Opened>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Opened& other) {
    return other.readable && other.info.domain.kind == one.info.domain.kind;
  });
}

}  // namespace

void add_file_sensors(const Host& host, std::vector<FileSensor> files, const Denial& denial,
                      Discovery& discovery) {
  const auto shared = std::make_shared<const Host>(host);
  std::vector<Opened> all;
  for (FileSensor& file : files) {
    all.push_back(open(shared, std::move(file), denial, discovery.findings));
  }
  std::vector<bool> wanted;
  for (const Opened& one : all) wanted.push_back(one.readable || stands_beside(one, all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!wanted[i]) continue;
    discovery.probes.push_back(std::make_unique<FileProbe>(
        std::move(all[i].info), std::move(all[i].file), all[i].may_hang));
  }
}

}  // namespace codecarbon
