#include "host/patient_call.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace codecarbon {
namespace {

TEST(PatientCall, BringsWhatTheWorkReturns) {
  auto brought = call_patiently(std::chrono::minutes(1), [] { return std::make_unique<int>(7); });
  ASSERT_TRUE(brought);
  EXPECT_EQ(**brought, 7);
}

TEST(PatientCall, LeavesWorkThatHangsToItselfAndItsResultDies) {
  std::promise<void> gate;
  auto watched = std::make_shared<int>(7);
  const std::weak_ptr<int> alive = watched;
  const auto brought =
      call_patiently(std::chrono::milliseconds(1),
                     [open = gate.get_future().share(), watched = std::move(watched)] {
                       open.wait();
                       return watched;
                     });
  EXPECT_FALSE(brought);
  EXPECT_FALSE(alive.expired()) << "whoever hangs keeps what it uses";
  gate.set_value();
  while (!alive.expired()) std::this_thread::yield();
}

}  // namespace
}  // namespace codecarbon
