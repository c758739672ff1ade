#include "sensors/rapl/zone_name.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace codecarbon::rapl {
namespace {

TEST(ZoneName, PackagesAndDiesSayTheirPlaceWhateverTheirNumber) {
  EXPECT_TRUE(rc::check([] {
    const int socket = *rc::gen::inRange(0, 5000);
    const int die = *rc::gen::inRange(0, 64);
    const std::string text = "package-" + std::to_string(socket);
    const auto package = parse_zone_name(text + "\n");
    RC_ASSERT(package && package->kind == DomainKind::package);
    RC_ASSERT(package->index == socket && package->die == 0);
    const auto with_die = parse_zone_name(text + "-die-" + std::to_string(die));
    RC_ASSERT(with_die && with_die->index == socket && with_die->die == die);
  }));
}

TEST(ZoneName, PartsHaveNoNumber) {
  EXPECT_EQ(parse_zone_name("core\n")->kind, DomainKind::core);
  EXPECT_EQ(parse_zone_name("uncore")->kind, DomainKind::uncore);
  EXPECT_EQ(parse_zone_name("dram")->kind, DomainKind::dram);
  EXPECT_EQ(parse_zone_name("dram")->index, std::nullopt);
  EXPECT_EQ(parse_zone_name("psys")->index, std::nullopt);
  EXPECT_EQ(parse_zone_name("psys-1")->index, 1);
}

TEST(ZoneName, AnythingElseIsNotAZoneOfOurs) {
  for (const char* name :
       {"", "\n", "package-", "package-x", "package--1", "package-0-die-", "package-0-die-1-x",
        "package-99999999999", "cores", "gpu", "Package-0"}) {
    EXPECT_FALSE(parse_zone_name(name)) << name;
  }
}

}  // namespace
}  // namespace codecarbon::rapl
