#include "sensors/files/file_sensors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::MachineCopy;

FileSensor sensor(DomainKind kind, int index, std::string path) {
  FileSensor made;
  made.info.domain = {kind, index, 0, std::string(to_string(kind)) + std::to_string(index)};
  made.path = std::move(path);
  return made;
}

/// Two sockets and a node, each with a file.
class FileSensors : public testing::Test {
 protected:
  FileSensors() {
    for (const char* file : {"a", "b", "node"}) machine_.write(file, 7);
  }
  Discovery look() const {
    Discovery found;
    add_file_sensors(machine_.host(),
                     {sensor(DomainKind::package, 0, "a"), sensor(DomainKind::package, 1, "b"),
                      sensor(DomainKind::node, 0, "node")},
                     {"a reason", "a remedy"}, found);
    return found;
  }
  static std::size_t good(const Discovery& found) {
    std::size_t count = 0;
    for (const auto& probe : found.probes) {
      Reading reading;
      probe->read({}, {&reading, 1});
      count += reading.value ? 1U : 0U;
    }
    return count;
  }
  MachineCopy machine_;
};

TEST_F(FileSensors, EachFileIsAProbeOfItsOwn) {
  const Discovery found = look();
  EXPECT_EQ(found.probes.size(), 3U);
  EXPECT_EQ(found.findings.size(), 3U);
  EXPECT_EQ(good(found), 3U);
}

TEST_F(FileSensors, WhatIsMissingFromItsKindIsAwaitedAndWhatIsAloneIsNot) {
  for (const char* lost : {"a", "b"}) {
    machine_.remove(lost);
    const Discovery found = look();
    EXPECT_EQ(found.probes.size(), 3U);
    EXPECT_EQ(good(found), 2U);
    machine_.write(lost, 9);
    EXPECT_EQ(good(found), 3U) << "from the moment on at which it is there";
  }
  machine_.remove("node");
  EXPECT_EQ(look().probes.size(), 2U);
  machine_.remove("a");
  machine_.remove("b");
  const Discovery none = look();
  EXPECT_TRUE(none.probes.empty());
  EXPECT_EQ(none.findings.size(), 3U);
}

/// Gives up root for a scope, so that permissions are felt.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) {
    if (was_ == 0 && ::seteuid(65534) != 0) std::abort();
  }
  ~AsNobody() {
    if (was_ == 0 && ::seteuid(0) != 0) std::abort();
  }

 private:
  uid_t was_;
};

TEST_F(FileSensors, AFileThatMayNotBeReadIsDeniedWithItsRemedy) {
  std::filesystem::permissions(machine_.root() / "a", std::filesystem::perms::none);
  const AsNobody unprivileged;
  const Discovery found = look();
  EXPECT_EQ(found.findings.at(0).outcome, Finding::Outcome::denied);
  EXPECT_EQ(found.findings.at(0).reason, "a reason");
  EXPECT_EQ(found.findings.at(0).remedy, "a remedy");
  EXPECT_EQ(found.findings.at(1).outcome, Finding::Outcome::found);
  EXPECT_EQ(good(found), 2U);
}

}  // namespace
}  // namespace codecarbon
