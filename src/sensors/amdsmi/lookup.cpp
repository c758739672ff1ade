#include "sensors/amdsmi/lookup.hpp"

#include <string>
#include <utility>

namespace codecarbon::amdsmi {

Result<Library> load_first(const Host& host, std::span<const char* const> names) {
  auto library = Library::load(host, names[0]);
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (library || library.error().kind != ErrorKind::missing_file) break;
    auto other = Library::load(host, names[i]);
    if (other || other.error().kind != ErrorKind::missing_file) library = std::move(other);
  }
  return library;
}

Error refused(const Library& library, abi::Status status) {
  return {ErrorKind::io, library.name() + " does not start (status " + std::to_string(status) +
                             "): is the amdgpu driver loaded, and may this user open /dev/kfd?"};
}

}  // namespace codecarbon::amdsmi
