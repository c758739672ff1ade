#include "sensors/files/refusal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace codecarbon {
namespace {

constexpr int kFirstTries = 5;

}  // namespace

bool is_denied(const Host& host, std::string_view path) {
  return ::faccessat(AT_FDCWD, host.resolve(path).c_str(), R_OK, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == EPERM);
}

std::string_view why_not(ReadFault fault) {
  switch (fault) {
    case ReadFault::empty:
      return "it is empty";
    case ReadFault::garbage:
      return "it does not hold a number of the expected form";
    case ReadFault::unreadable:
      return "the kernel refuses to read it";
    case ReadFault::gone:
      return "it is gone";
  }
  return {};
}

tl::expected<std::int64_t, ReadFault> first_reading(NumberFile& file) {
  auto value = file.read();
  for (int tries = 1; !value && tries < kFirstTries; ++tries) value = file.read();
  return value;
}

}  // namespace codecarbon
