#include "sensors/perf/kernel.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace codecarbon::perf {
namespace {

class RunningKernel final : public Kernel {
 public:
  tl::expected<Fd, int> open(const Event& event, int leader) const override {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.read_format = PERF_FORMAT_GROUP;
    constexpr int kAllPrograms = -1;
    const long fd = ::syscall(SYS_perf_event_open, &attributes, kAllPrograms, event.processor,
                              leader, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) return tl::unexpected<int>(errno);
    return Fd(static_cast<int>(fd));
  }

  tl::expected<std::size_t, int> read(int leader, std::span<std::uint64_t> words) const override {
    const ssize_t bytes = ::read(leader, words.data(), words.size_bytes());
    if (bytes < 0) return tl::unexpected<int>(errno);
    return static_cast<std::size_t>(bytes) / sizeof(std::uint64_t);
  }
};

}  // namespace

std::shared_ptr<const Kernel> running_kernel() {
  return std::make_shared<const RunningKernel>();
}

}  // namespace codecarbon::perf
