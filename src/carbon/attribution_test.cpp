#include <gtest/gtest.h>

#include "carbon/carbon.hpp"

namespace codecarbon {
namespace {

TEST(Attributions, NameEverySourceAndItsLicence) {
  std::string all;
  for (const std::string& paragraph : data_attributions()) {
    EXPECT_EQ(paragraph.find('\n'), std::string::npos);
    EXPECT_EQ(paragraph.find(": ;"), std::string::npos) << paragraph;
    all += paragraph + '\n';
  }
  for (const char* part :
       {"Ember", "CC BY-SA 4.0", "Electricity Maps", "ODbL", "EPA eGRID", "Google Cloud",
        "Rated power", "codecarbon 3.", "@tgwf/co2 0.", "MIT", "China"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace codecarbon
