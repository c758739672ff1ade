#include "node/ancestry.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "host/process_stat.hpp"

namespace codecarbon {
namespace {

constexpr char kMark[] = "codecarbon-run";
constexpr std::string_view kMarkLink = "/memfd:codecarbon-run (deleted)";
constexpr std::size_t kLongestRun = 256;
/// Nobody nests deeper, and a chain that is read while it changes cannot go round for ever.
constexpr int kMostAncestors = 64;
/// Marks have the first free of these descriptors, so that children need not look through
/// thousands: far from those that programs get, and within the usual limit of 1024.
constexpr int kFirstMark = 1000;
constexpr int kMarks = 8;

std::optional<ProcessStat> read_stat(const Host& host, int pid) {
  const auto text = host.read(fmt::format("proc/{}/stat", pid));
  return text ? parse_process_stat(*text) : std::nullopt;
}

/// The parent first.
std::vector<ProcessStat> ancestors_of_this(const Host& host) {
  std::vector<ProcessStat> ancestors;
  for (int pid = ::getppid(); pid > 0 && ancestors.size() < kMostAncestors;) {
    const auto stat = read_stat(host, pid);
    if (!stat) break;
    ancestors.push_back(*stat);
    pid = stat->parent;
  }
  return ancestors;
}

/// Whether a process is seen to have been started with this variable; what it set later does not
/// show, and a process of another user, such as a batch system's, shows nothing.
bool was_started_with(const Host& host, int pid, std::string_view variable) {
  const auto text = host.read(fmt::format("proc/{}/environ", pid));
  if (!text) return false;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto entry = take_until(rest, '\0');
    if (entry.starts_with(variable) && entry.substr(variable.size()).starts_with('=')) return true;
  }
  return false;
}

/// Numbers of processes mean nothing outside their namespace and after a reboot.
std::string world_of_processes(const Host& host) {
  std::error_code error;
  const auto space = std::filesystem::read_symlink(host.resolve("proc/self/ns/pid"), error);
  const auto boot = host.read("proc/sys/kernel/random/boot_id");
  return fmt::format("{}@{}", error ? "" : space.string(), boot ? trimmed(*boot) : "");
}

std::string name_process(const Host& host, int pid, std::int64_t started) {
  return fmt::format("{}:{}:{}", pid, started, world_of_processes(host));
}

std::optional<std::string> read_mark(const std::filesystem::path& file) {
  const Fd mark(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!mark) return std::nullopt;
  std::array<char, kLongestRun> text;
  const ssize_t size = ::pread(mark.get(), text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(size));
}

std::optional<std::string> run_of(const Host& host, int pid) {
  for (int number = kFirstMark; number < kFirstMark + kMarks; ++number) {
    std::error_code unreadable;
    const auto file = host.resolve(fmt::format("proc/{}/fd/{}", pid, number));
    const auto target = std::filesystem::read_symlink(file, unreadable);
    if (target == kMarkLink) return read_mark(file);
  }
  return std::nullopt;
}

}  // namespace

std::string ProcessAncestry::launcher(std::string_view variable) const {
  const auto ancestors = ancestors_of_this(host_);
  if (ancestors.empty()) return name_process(host_, ::getppid(), 0);
  const auto found = std::find_if(ancestors.begin(), ancestors.end(), [&](const ProcessStat& one) {
    return variable.empty() || !was_started_with(host_, one.pid, variable);
  });
  const ProcessStat& launcher = found == ancestors.end() ? ancestors.back() : *found;
  return name_process(host_, launcher.pid, launcher.started);
}

std::optional<std::string> ProcessAncestry::tracked_run() const {
  for (const ProcessStat& ancestor : ancestors_of_this(host_)) {
    if (auto run = run_of(host_, ancestor.pid)) return run;
  }
  return std::nullopt;
}

Fd mark_tracked_run(std::string_view run_id) {
  const Fd made(::memfd_create(kMark, MFD_CLOEXEC));
  const auto text = run_id.substr(0, kLongestRun);
  if (!made || ::write(made.get(), text.data(), text.size()) < 0) return {};
  Fd mark(::fcntl(made.get(), F_DUPFD_CLOEXEC, kFirstMark));
  return mark.get() < kFirstMark + kMarks ? std::move(mark) : Fd{};
}

}  // namespace codecarbon
