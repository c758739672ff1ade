#include "carbon/cloud.hpp"

#include <gtest/gtest.h>

namespace codecarbon::carbon {
namespace {

TEST(Cloud, KnowsWhichProvidersHaveFigures) {
  EXPECT_TRUE(has_cloud_figures("gcp"));
  EXPECT_TRUE(has_cloud_figures(" GCP "));
  EXPECT_FALSE(has_cloud_figures("aws"));
  EXPECT_FALSE(has_cloud_figures(""));
}

TEST(Cloud, FindsARegionAndAZoneOfIt) {
  for (const char* name : {"europe-west9", "Europe-West9", "europe-west9-b"}) {
    const auto region = find_cloud_region("gcp", name);
    ASSERT_TRUE(region) << name;
    EXPECT_EQ(region->region, "europe-west9");
    EXPECT_EQ(region->iso3, "FRA");
    EXPECT_EQ(region->city, "Paris");
  }
}

TEST(Cloud, DoesNotTakeARegionForALongerOrShorterOne) {
  for (const char* name :
       {"europe-west", "europe-west99", "europe-west9-", "europe-west9-ab", ""}) {
    EXPECT_FALSE(find_cloud_region("gcp", name)) << name;
  }
  EXPECT_TRUE(find_cloud_region("gcp", "europe-west1"));
  EXPECT_TRUE(find_cloud_region("gcp", "europe-west10"));
  EXPECT_FALSE(find_cloud_region("aws", "europe-west1"));
}

TEST(Cloud, NamesNearRegionsOrAll) {
  EXPECT_EQ(cloud_regions_like("gcp", "us-eest5"), "us-east5");
  const std::string all = cloud_regions_like("gcp", "moon-base1");
  EXPECT_NE(all.find("africa-south1, "), std::string::npos);
  EXPECT_NE(all.find("us-west4"), std::string::npos);
}

}  // namespace
}  // namespace codecarbon::carbon
