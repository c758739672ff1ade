#include "host/cgroup_place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using Folders = std::vector<std::string>;

std::string mount_line(std::string_view root, std::string_view point, std::string_view type,
                       std::string_view options) {
  std::string line = "31 24 0:27 ";
  for (const auto part :
       {root, std::string_view(" "), point, std::string_view(" rw,nosuid shared:9 - "), type,
        std::string_view(" "), type, std::string_view(" "), options}) {
    line += part;
  }
  return line + "\n";
}

std::string v2_mount(std::string_view root, std::string_view point = "/sys/fs/cgroup") {
  return mount_line(root, point, "cgroup2", "rw,nsdelegate");
}

std::string v1_mount(std::string_view controllers, std::string_view root = "/") {
  return mount_line(root, "/sys/fs/cgroup/" + std::string(controllers), "cgroup",
                    "rw," + std::string(controllers));
}

std::optional<CgroupPlace> place_of(std::string_view controller, const std::string& self_cgroup,
                                    const std::string& mountinfo) {
  return find_cgroup(controller, parse_cgroup_entries(self_cgroup), parse_cgroup_mounts(mountinfo));
}

TEST(CgroupPlace, OwnFolderThenEachAncestor) {
  const auto place = place_of("cpu", "0::/user.slice/session\n", v2_mount("/"));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->version, CgroupVersion::v2);
  EXPECT_EQ(place->folders, (Folders{"/sys/fs/cgroup/user.slice/session",
                                     "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"}));
}

TEST(CgroupPlace, AContainersOwnGroupIsTheMountPoint) {
  const Folders own{"/sys/fs/cgroup"};
  EXPECT_EQ(place_of("cpu", "0::/\n", v2_mount("/"))->folders, own) << "with a namespace";
  EXPECT_EQ(place_of("cpu", "0::/docker/1f\n", v2_mount("/docker/1f"))->folders, own) << "without";
  EXPECT_EQ(place_of("cpu", "0::/\n", v2_mount("/docker/1f"))->folders, own) << "seen from within";
  EXPECT_EQ(place_of("cpu", "0::/\n", v2_mount("/../.."))->folders, own) << "that of an ancestor";
  EXPECT_EQ(place_of("cpu", "0::/docker/1f/job\n", v2_mount("/docker/1f"))->folders,
            (Folders{"/sys/fs/cgroup/job", "/sys/fs/cgroup"}));
}

TEST(CgroupPlace, WhatIsOutsideIsNotGuessed) {
  EXPECT_EQ(place_of("cpu", "0::/../sibling\n", v2_mount("/")), std::nullopt);
  EXPECT_EQ(place_of("cpu", "0::/../..\n", v2_mount("/")), std::nullopt);
  EXPECT_EQ(place_of("cpu", "0::/docker/1f\n", v2_mount("/docker/2e")), std::nullopt);
  EXPECT_EQ(place_of("cpu", "0::/docker/1f2\n", v2_mount("/docker/1f")), std::nullopt);
  EXPECT_EQ(place_of("cpu", "0::/a/../../etc\n", v2_mount("/")), std::nullopt);
  EXPECT_EQ(place_of("cpu", "0::/../sibling\n", v2_mount("/.."))->folders,
            (Folders{"/sys/fs/cgroup/sibling", "/sys/fs/cgroup"}));
}

TEST(CgroupPlace, EachControllerOfVersionOneHasItsOwnHierarchy) {
  const std::string self = "5:cpu,cpuacct:/a\n4:memory:/b\n1:name=systemd:/c\n0::/d\n";
  const std::string mounts =
      v1_mount("cpu,cpuacct") + v1_mount("memory") + v2_mount("/", "/sys/fs/cgroup/unified");
  EXPECT_EQ(place_of("cpuacct", self, mounts)->folders.front(), "/sys/fs/cgroup/cpu,cpuacct/a");
  EXPECT_EQ(place_of("memory", self, mounts)->folders.front(), "/sys/fs/cgroup/memory/b");
  EXPECT_EQ(place_of("memory", self, mounts)->version, CgroupVersion::v1);
  EXPECT_EQ(place_of("cpuset", self, mounts)->folders.front(), "/sys/fs/cgroup/unified/d")
      << "hybrid: what version 1 does not have is in version 2";
  EXPECT_EQ(place_of("systemd", self, mounts)->version, CgroupVersion::v2) << "no controller";
}

TEST(CgroupPlace, TheMountThatShowsMostIsUsed) {
  const std::string self = "0::/kubepods/pod1/c1\n";
  const std::string mounts = v2_mount("/kubepods/pod1/c1") + v2_mount("/", "/host/cgroup");
  EXPECT_EQ(place_of("memory", self, mounts)->folders.size(), 4U);
  EXPECT_EQ(place_of("memory", self, mounts)->folders.back(), "/host/cgroup");
}

TEST(CgroupPlace, ReadsEscapesAndColonsInPaths) {
  const auto place = place_of("cpu", "0::/a b:c\n", v2_mount("/", "/mnt/my\\040groups\\134"));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->folders.front(), "/mnt/my groups\\/a b:c");
}

TEST(CgroupPlace, NothingIsFoundInWhatIsNoTable) {
  for (const char* text : {"", "\n", "0::\n", "garbage\n", "0:/\n", "::/\n"}) {
    EXPECT_EQ(place_of("cpu", text, v2_mount("/")), std::nullopt) << text;
  }
  for (const char* text :
       {"", " - cgroup2", "1 2 3 / /sys - tmpfs tmpfs rw\n", "1 2 0:3 / - cgroup2 cgroup2 rw\n",
        "1 2 0:3 / /../../etc rw - cgroup2 cgroup2 rw\n"}) {
    EXPECT_EQ(place_of("cpu", "0::/\n", text), std::nullopt) << text;
  }
  EXPECT_EQ(place_of("cpu", "0::/" + std::string(5000, 'x') + "\n", v2_mount("/")), std::nullopt);
}

TEST(CgroupPlace, AnyPathStaysBelowTheMountPoint) {
  EXPECT_TRUE(rc::check([] {
    const auto path = rc::gen::container<std::string>(rc::gen::elementOf(std::string("/.ab\\0")));
    const auto place = place_of("cpu", "0::/" + *path + "\n", v2_mount("/" + *path));
    if (!place) return;
    RC_ASSERT(place->folders.back() == "/sys/fs/cgroup");
    for (std::size_t i = 0; i + 1 < place->folders.size(); ++i) {
      RC_ASSERT(place->folders[i].starts_with(place->folders[i + 1]));
      RC_ASSERT((place->folders[i] + "/").find("/../") == std::string::npos);
    }
  }));
}

}  // namespace
}  // namespace codecarbon
