#include "sensors/hwmon/amd_energy.hpp"

#include <utility>

#include "sensors/hwmon/label.hpp"

namespace codecarbon::hwmon {

void add_amd_energy(const Host& host, const Chip& chip, Found& found) {
  for (const int channel : channels(host, chip, "energy", "_label")) {
    const std::string file = "energy" + std::to_string(channel);
    const auto socket = number_after(text_of(host, chip, file + "_label"), "Esocket");
    if (!socket) continue;
    FileSensor sensor;
    sensor.info.domain = {DomainKind::package, *socket, 0, "package-" + std::to_string(*socket)};
    sensor.info.resolution = Energy::from_uj(16);  // 2^-16 J
    sensor.path = chip.folder + "/" + file + "_input";
    found.files.push_back(std::move(sensor));
  }
}

}  // namespace codecarbon::hwmon
