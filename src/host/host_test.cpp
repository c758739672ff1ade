#include "host/host.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace codecarbon {
namespace {

class HostTest : public testing::Test {
 protected:
  HostTest() {
    char pattern[] = "/tmp/codecarbon-host-XXXXXX";
    root_ = ::mkdtemp(pattern);
  }
  ~HostTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  Host host() const { return Host(root_, Environment{}, std::make_shared<SystemClock>()); }

  std::filesystem::path root_;
};

TEST_F(HostTest, AbsolutePathsStayBelowTheRoot) {
  write("proc/stat", "cpu 1");
  EXPECT_EQ(host().read("/proc/stat").value(), "cpu 1");
  EXPECT_EQ(host().read("proc/stat").value(), "cpu 1");
}

TEST_F(HostTest, AMissingFileSaysWhichAndWhy) {
  const auto missing = host().read("proc/nothing");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, ErrorKind::missing_file);
  EXPECT_NE(missing.error().message.find("proc/nothing"), std::string::npos);
}

TEST_F(HostTest, ListsInNaturalOrder) {
  for (const char* name : {"intel-rapl:10", "intel-rapl:2", "intel-rapl:1"}) {
    write(std::string("powercap/") + name + "/name", "x");
  }
  EXPECT_EQ(host().list("powercap"),
            (std::vector<std::string>{"intel-rapl:1", "intel-rapl:2", "intel-rapl:10"}));
  EXPECT_TRUE(host().list("no/such/folder").empty());
}

TEST_F(HostTest, AKeptFileSeesNewContent) {
  write("energy_uj", "100\n");
  const auto kept = host().open("energy_uj");
  ASSERT_TRUE(kept.has_value());
  char buffer[32];
  EXPECT_EQ(kept->read(buffer).value(), "100\n");
  write("energy_uj", "250\n");
  EXPECT_EQ(kept->read(buffer).value(), "250\n");
}

TEST(ParseInteger, TakesAWholeNumberAndNothingElse) {
  EXPECT_EQ(parse_integer(" 42\n"), 42);
  EXPECT_EQ(parse_integer("-7"), -7);
  for (const char* text : {"", "\n", "4 2", "12x", "1.5", "99999999999999999999", "0x10"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace codecarbon
