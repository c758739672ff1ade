#include "sampling/watchdog.hpp"

#include <gtest/gtest.h>

#include <future>
#include <semaphore>

namespace codecarbon {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(Watchdog, CallsOnceWhenItIsNotPutOff) {
  std::promise<void> called;
  Watchdog dog([&] { called.set_value(); });  // a second time would throw
  dog.bark_in(milliseconds(1));
  called.get_future().wait();
}

TEST(Watchdog, PutOffItIsQuiet) {
  std::atomic<int> calls = 0;
  {
    Watchdog dog([&] { ++calls; });
    for (int i = 0; i < 1000; ++i) dog.bark_in(hours(1));
    dog.be_quiet();
  }
  EXPECT_EQ(calls, 0);
}

TEST(Watchdog, CallsAgainWhenTold) {
  std::binary_semaphore called(0);
  Watchdog dog([&] { called.release(); });
  for (int i = 0; i < 3; ++i) {
    dog.bark_in(Duration{});
    called.acquire();
  }
}

TEST(Watchdog, NeverWokenItNeedsNoThread) {
  const Watchdog dog([] { FAIL(); });
}

}  // namespace
}  // namespace codecarbon
