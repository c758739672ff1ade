#include "host/library.hpp"

#include <dlfcn.h>

#include <array>

namespace codecarbon {
namespace {

constexpr std::array<std::string_view, 2> kFolders = {"usr/lib", "usr/lib64"};

/// What dlopen is given; empty when the machine in a folder has no such library.
std::string place_of(const Host& host, std::string_view soname) {
  if (host.root() == "/") return std::string(soname);
  for (const std::string_view folder : kFolders) {
    const std::string path = std::string(folder) + "/" + std::string(soname);
    if (host.exists(path)) return std::filesystem::absolute(host.resolve(path)).string();
  }
  return {};
}

/// The loader says "cannot open shared object file: No such file or directory" for a library that
/// is not there, and for one whose own dependencies are not: only the first names the library
/// first.
bool is_absent(std::string_view message, std::string_view place) {
  return message.starts_with(place) && message.find("No such file") != std::string_view::npos;
}

}  // namespace

Result<Library> Library::load(const Host& host, std::string_view soname) {
  const std::string place = place_of(host, soname);
  if (place.empty())
    return fail(ErrorKind::missing_file, std::string(soname) + " is not installed");
  void* handle = ::dlopen(place.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    const std::string message = reason == nullptr ? "" : reason;
    return fail(is_absent(message, place) ? ErrorKind::missing_file : ErrorKind::io,
                "cannot load " + place + ": " + message);
  }
  return Library(std::shared_ptr<void>(handle, ::dlclose), place);
}

void* Library::symbol(const char* name) const {
  return ::dlsym(handle_.get(), name);
}

}  // namespace codecarbon
