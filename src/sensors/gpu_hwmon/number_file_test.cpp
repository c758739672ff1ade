#include "sensors/gpu_hwmon/number_file.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"

namespace codecarbon::gpu_hwmon {
namespace {

using testing_support::MachineCopy;
using Value = tl::expected<std::int64_t, ReadFault>;

constexpr const char* kPath = "sys/energy1_input";

class NumberFileTest : public testing::Test {
 protected:
  NumberFile open() { return {std::make_shared<const Host>(copy_.host()), kPath}; }
  MachineCopy copy_;
};

TEST_F(NumberFileTest, ShowsWhatTheFileHoldsNow) {
  copy_.write(kPath, 12);
  NumberFile file = open();
  EXPECT_EQ(file.read(), Value(12));
  copy_.write(kPath, INT64_MAX);
  EXPECT_EQ(file.read(), Value(INT64_MAX));
}

TEST_F(NumberFileTest, AnythingElseIsAFaultUntilItIsANumberAgain) {
  copy_.write(kPath, 12);
  NumberFile file = open();
  const std::pair<const char*, ReadFault> bad[] = {
      {"", ReadFault::empty},       {" \n", ReadFault::empty},
      {"-1", ReadFault::garbage},   {"9223372036854775808", ReadFault::garbage},
      {"12 J", ReadFault::garbage}, {"0x10", ReadFault::garbage}};
  for (const auto& [text, fault] : bad) {
    copy_.write(kPath, text);
    EXPECT_EQ(file.read(), Value(tl::unexpected(fault))) << text;
  }
  copy_.write(kPath, std::string(1 << 16, '7'));
  EXPECT_EQ(file.read(), Value(tl::unexpected(ReadFault::garbage)));
  copy_.write(kPath, 13);
  EXPECT_EQ(file.read(), Value(13));
}

TEST_F(NumberFileTest, AFileThatComesLateIsReadFromThenOn) {
  NumberFile file = open();
  EXPECT_EQ(file.read(), Value(tl::unexpected(ReadFault::gone)));
  copy_.write(kPath, 5);
  EXPECT_EQ(file.read(), Value(5));
}

TEST_F(NumberFileTest, AFolderIsNoFile) {
  copy_.write(std::string(kPath) + "/below", "1");
  NumberFile file = open();
  EXPECT_FALSE(file.read());
}

}  // namespace
}  // namespace codecarbon::gpu_hwmon
