#include "sensors/perf/socket_probe.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace codecarbon::perf {
namespace {

ReadFault fault_of(int error) {
  return error == ENODEV || error == EBADF ? ReadFault::gone : ReadFault::unreadable;
}

}  // namespace

SocketProbe::SocketProbe(std::shared_ptr<const Kernel> kernel, std::vector<Member> members)
    : kernel_(std::move(kernel)) {
  for (Member& member : members) {
    sensors_.push_back(std::move(member.sensor));
    scales_.push_back(member.scale);
    fds_.push_back(std::move(member.fd));
  }
}

void SocketProbe::read(MonoTime tick, std::span<Reading> readings) {
  std::array<std::uint64_t, 1 + kMostEvents> words{};
  const std::size_t expected = 1 + sensors_.size();
  const auto filled =
      kernel_->read(fds_.front().get(), std::span(words).first(std::min(expected, words.size())));
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    readings[i].at = tick;
    if (!filled) {
      readings[i].value = tl::unexpected(fault_of(filled.error()));
    } else if (*filled == 0) {
      readings[i].value = tl::unexpected(ReadFault::empty);
    } else if (const auto energy = scales_[i].microjoules(words[1 + i]);
               energy && *filled == expected && words[0] == sensors_.size()) {
      readings[i].value = *energy;
    } else {
      readings[i].value = tl::unexpected(ReadFault::garbage);
    }
  }
}

}  // namespace codecarbon::perf
