#include "sensors/files/number_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::MachineCopy;
using Value = tl::expected<std::int64_t, ReadFault>;

constexpr const char* kPath = "zone/energy_uj";

Value fault(ReadFault why) {
  return tl::unexpected(why);
}

class NumberFileTest : public testing::Test {
 protected:
  NumberFile open(std::optional<std::int64_t> limit = std::nullopt) {
    auto file = NumberFile::open(std::make_shared<Host>(machine_.host()), kPath);
    file->set_limit(limit);
    return std::move(*file);
  }
  MachineCopy machine_;
};

TEST_F(NumberFileTest, GivesEveryWholeNumberThatItHolds) {
  machine_.write(kPath, 0);
  NumberFile file = open();
  EXPECT_TRUE(rc::check([&] {
    const auto value = *rc::gen::nonNegative<std::int64_t>();
    machine_.write(kPath, value);
    const Value read = file.read();
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == value);
  }));
}

TEST_F(NumberFileTest, SaysWhyThereIsNoNumberAndRecovers) {
  machine_.write(kPath, 5);
  NumberFile file = open(1000);
  const std::vector<std::pair<const char*, ReadFault>> bad = {
      {"", ReadFault::empty},        {"\n", ReadFault::empty},
      {"abc\n", ReadFault::garbage}, {"12 34", ReadFault::garbage},
      {"-5\n", ReadFault::garbage},  {"1001\n", ReadFault::garbage},
      {"1e3\n", ReadFault::garbage}, {"99999999999999999999\n", ReadFault::garbage},
      {" \n", ReadFault::empty},     {"9223372036854775808", ReadFault::garbage},
      {"12 J", ReadFault::garbage},  {"0x10", ReadFault::garbage}};
  for (const auto& [text, why] : bad) {
    machine_.write(kPath, text);
    EXPECT_EQ(file.read(), fault(why)) << '"' << text << '"';
    machine_.write(kPath, 1000);
    EXPECT_EQ(file.read(), Value(1000));
  }
}

TEST_F(NumberFileTest, AHugeFileIsNoNumber) {
  machine_.write(kPath, 12);
  NumberFile file = open();
  machine_.write(kPath, std::string(1 << 16, '7'));
  EXPECT_EQ(file.read(), fault(ReadFault::garbage));
  machine_.write(kPath, 13);
  EXPECT_EQ(file.read(), Value(13));
}

TEST_F(NumberFileTest, FollowsAFileThatIsRenamedIntoItsPlace) {
  machine_.write(kPath, 100);
  NumberFile file = open();
  EXPECT_EQ(file.read(), Value(100));
  for (const int value : {150, 150, 150, 7, 300}) {
    machine_.replace(kPath, std::to_string(value));
    EXPECT_EQ(file.read(), Value(value));
  }
  machine_.replace(kPath, "");
  EXPECT_EQ(file.read(), fault(ReadFault::empty));
  machine_.replace(kPath, "400");
  EXPECT_EQ(file.read(), Value(400));
}

TEST_F(NumberFileTest, ADomainThatDisappearsIsGoneUntilItComesBack) {
  machine_.write(kPath, 100);
  NumberFile file = open();
  EXPECT_EQ(file.read(), Value(100));
  machine_.remove("zone");
  EXPECT_EQ(file.read(), fault(ReadFault::gone));
  EXPECT_EQ(file.read(), fault(ReadFault::gone));
  machine_.write(kPath, 3);
  EXPECT_EQ(file.read(), Value(3));
}

TEST_F(NumberFileTest, AnAwaitedFileIsGoneUntilItIsThere) {
  NumberFile file =
      NumberFile::awaited(std::make_shared<Host>(machine_.host()), std::string(kPath));
  EXPECT_EQ(file.read(), fault(ReadFault::gone));
  machine_.write(kPath, "");
  EXPECT_EQ(file.read(), fault(ReadFault::empty));
  machine_.write(kPath, 8);
  EXPECT_EQ(file.read(), Value(8));
}

TEST_F(NumberFileTest, AFileThatStandsStillIsStillAReading) {
  machine_.write(kPath, 100);
  NumberFile file = open();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(file.read(), Value(100));
}

TEST_F(NumberFileTest, AFolderInItsPlaceIsUnreadable) {
  machine_.write("zone/energy_uj/inside", 1);
  NumberFile file = open();
  EXPECT_EQ(file.read(), fault(ReadFault::unreadable));
}

}  // namespace
}  // namespace codecarbon
