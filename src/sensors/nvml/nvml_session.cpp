#include "sensors/nvml/nvml_session.hpp"

#include <array>

#include "sensors/nvml/explain.hpp"

namespace codecarbon::nvml {
namespace {

// The second is there where only the development links are installed.
constexpr std::array<std::string_view, 2> kNames = {"libnvidia-ml.so.1", "libnvidia-ml.so"};

/// The first that can be loaded, else what is wrong with the first.
Result<Library> load(const Host& host) {
  auto first = Library::load(host, kNames[0]);
  if (first) return first;
  auto second = Library::load(host, kNames[1]);
  return second ? std::move(second) : std::move(first);
}

std::string text_of(const Api& api, Return code) {
  const char* text = api.error_string == nullptr ? nullptr : api.error_string(code);
  const std::string number = "NVML error " + std::to_string(static_cast<unsigned int>(code));
  return text == nullptr ? number : std::string(text) + " (" + number + ")";
}

}  // namespace

tl::expected<std::shared_ptr<const Session>, Finding> Session::open(const Host& host) {
  auto library = load(host);
  if (!library) return tl::unexpected(explain_no_library(host, library.error()));
  const Api api = bind(*library);
  if (!api.usable()) return tl::unexpected(explain_too_old(library->name()));
  if (const Return code = api.init(); code != Return::success) {
    return tl::unexpected(explain_init(library->name(), code, text_of(api, code)));
  }
  return std::shared_ptr<const Session>(new Session(std::move(*library), api));
}

std::string Session::driver() const {
  std::array<char, kVersionSize> version{};
  if (api_.driver_version == nullptr ||
      api_.driver_version(version.data(), kVersionSize) != Return::success) {
    return {};
  }
  version.back() = '\0';
  return "driver " + std::string(version.data());
}

std::string Session::text(Return code) const {
  return text_of(api_, code);
}

}  // namespace codecarbon::nvml
