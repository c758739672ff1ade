#include "sensors/ipmi/device.hpp"

#include <fcntl.h>
#include <linux/ipmi.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <utility>

#include "base/fd.hpp"

namespace codecarbon::ipmi {
namespace {

using Time = std::chrono::steady_clock;

class KernelDevice final : public Device {
 public:
  explicit KernelDevice(Fd fd) : fd_(std::move(fd)) {}

  tl::expected<std::size_t, int> ask(const Command& command, std::span<std::uint8_t> answer,
                                     std::chrono::milliseconds patience) override {
    const Time::time_point until = Time::now() + patience;
    if (const int error = send(command); error != 0) return tl::unexpected<int>(int(error));
    while (true) {
      if (const int error = wait(until); error != 0) return tl::unexpected<int>(int(error));
      const auto length = receive(answer);
      if (length || length.error() != kNotOurs) return length;
    }
  }

 private:
  static constexpr int kNotOurs = 0;

  int send(const Command& command) {
    ipmi_system_interface_addr address{};
    address.addr_type = IPMI_SYSTEM_INTERFACE_ADDR_TYPE;
    address.channel = IPMI_BMC_CHANNEL;
    auto data = command.data;
    ipmi_req request{};
    request.addr = reinterpret_cast<unsigned char*>(&address);
    request.addr_len = sizeof address;
    request.msgid = ++last_;
    request.msg = {command.function, command.number, static_cast<unsigned short>(data.size()),
                   data.data()};
    return ::ioctl(fd_.get(), IPMICTL_SEND_COMMAND, &request) == 0 ? 0 : errno;
  }

  int wait(Time::time_point until) const {
    pollfd watched{fd_.get(), POLLIN, 0};
    int ready = 0;
    do {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Time::now());
      if (left.count() <= 0) return ETIMEDOUT;
      ready = ::poll(&watched, 1, static_cast<int>(left.count()));
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) return errno;
    return ready == 0 ? ETIMEDOUT : 0;
  }

  tl::expected<std::size_t, int> receive(std::span<std::uint8_t> answer) const {
    ipmi_addr address{};
    ipmi_recv received{};
    received.addr = reinterpret_cast<unsigned char*>(&address);
    received.addr_len = sizeof address;
    received.msg.data = answer.data();
    received.msg.data_len = static_cast<unsigned short>(answer.size());
    if (::ioctl(fd_.get(), IPMICTL_RECEIVE_MSG_TRUNC, &received) != 0) {
      const bool nothing_yet = errno == EAGAIN || errno == EINTR;
      return tl::unexpected<int>(nothing_yet ? int(kNotOurs) : int(errno));
    }
    const bool ours = received.recv_type == IPMI_RESPONSE_RECV_TYPE && received.msgid == last_;
    if (!ours) return tl::unexpected<int>(int(kNotOurs));
    return received.msg.data_len;
  }

  Fd fd_;
  long last_ = 0;  // number of the newest command
};

}  // namespace

tl::expected<std::unique_ptr<Device>, int> open_device(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return tl::unexpected<int>(errno);
  return std::make_unique<KernelDevice>(std::move(fd));
}

}  // namespace codecarbon::ipmi
