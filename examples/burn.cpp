// A program to measure: keeps processors busy for a while and prints how much it computed.
//   burn [seconds] [threads]

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Rounds of a pseudo-random generator until `deadline`.
std::uint64_t compute_until(SteadyClock::time_point deadline) {
  constexpr int kRoundsPerLook = 100'000;
  std::uint64_t state = 88172645463325252U;
  std::uint64_t rounds = 0;
  while (SteadyClock::now() < deadline) {
    for (int i = 0; i < kRoundsPerLook; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
    }
    rounds += kRoundsPerLook;
  }
  return state == 0 ? 0 : rounds;
}

}  // namespace

int main(int argc, char** argv) {
  const double duration_s = argc > 1 ? std::atof(argv[1]) : 2;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const auto deadline =
      SteadyClock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(duration_s * 1e3));

  std::atomic<std::uint64_t> rounds = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] { rounds += compute_until(deadline); });
  }
  for (auto& worker : workers) worker.join();
  std::printf("burn: %.0f million rounds in %g s on %d threads\n",
              static_cast<double>(rounds.load()) * 1e-6, duration_s, threads);
  return 0;
}
