#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "carbon/carbon.hpp"
#include "carbon/csv_table.hpp"
#include "embedded/countries.hpp"

namespace codecarbon {
namespace {

LocatedIntensity located(const PlaceRequest& request) {
  auto result = locate(request);
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(LocatedIntensity{});
}

std::string error_of(const PlaceRequest& request) {
  const auto result = locate(request);
  EXPECT_FALSE(result);
  if (result) return {};
  EXPECT_EQ(result.error().kind, ErrorKind::invalid_value);
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
  return result.error().message;
}

PlaceRequest in_country(std::string code, std::string region = {}) {
  PlaceRequest request;
  request.country_iso_code = std::move(code);
  request.region = std::move(region);
  return request;
}

PlaceRequest in_cloud(std::string provider, std::string region, std::string country = {}) {
  PlaceRequest request = in_country(std::move(country));
  request.cloud_provider = std::move(provider);
  request.cloud_region = std::move(region);
  return request;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Country, DecidesByEitherCodeInAnyCase) {
  const LocatedIntensity france = located(in_country("FRA"));
  EXPECT_EQ(france.place.country_name, "France");
  EXPECT_EQ(france.place.country_iso_code, "FRA");
  EXPECT_EQ(france.intensity.method, "country");
  EXPECT_TRUE(contains(france.intensity.source, "Ember, up to 20")) << france.intensity.source;
  EXPECT_TRUE(contains(france.intensity.source, "(@tgwf/co2 ")) << france.intensity.source;
  EXPECT_TRUE(france.warnings.empty());
  EXPECT_FALSE(france.place.on_cloud);
  for (const char* code : {"fra", "FR", "fr", " FRA"}) {
    EXPECT_EQ(located(in_country(code)).intensity.value, france.intensity.value) << code;
    EXPECT_EQ(located(in_country(code)).place.country_iso_code, "FRA") << code;
  }
}

TEST(Country, MayBeGivenAsTwoLettersWhereThreeAreNotGiven) {
  PlaceRequest request;
  request.country_2letter_iso_code = "de";
  EXPECT_EQ(located(request).place.country_iso_code, "DEU");
  request.country_iso_code = "FRA";
  EXPECT_EQ(located(request).place.country_iso_code, "FRA");
  request.country_iso_code = "";
  request.country_2letter_iso_code = "  ";
  EXPECT_EQ(located(request).intensity.method, "world average") << "blank is not said";
}

TEST(Country, ThatDoesNotExistFailsNamingOptionValueAndWhatIsAccepted) {
  const std::string unknown = error_of(in_country("XXX"));
  EXPECT_TRUE(contains(unknown, "country_iso_code: \"XXX\"")) << unknown;
  EXPECT_TRUE(contains(unknown, "ISO 3166")) << unknown;
  const std::string slip = error_of(in_country("Fr ance"));
  EXPECT_TRUE(contains(slip, "\"Fr ance\"") && contains(slip, "FRA (France)")) << slip;
  PlaceRequest two;
  two.country_2letter_iso_code = "ZZ";
  EXPECT_TRUE(contains(error_of(two), "country_2letter_iso_code: \"ZZ\""));
}

TEST(Country, ThatIsWrongFailsEvenWhereItWouldNotDecide) {
  PlaceRequest forced = in_country("XXX");
  forced.forced_intensity = CarbonIntensity::from_g_per_kwh(10);
  EXPECT_TRUE(contains(error_of(forced), "XXX"));
  EXPECT_TRUE(contains(error_of(in_cloud("gcp", "europe-west9", "XXX")), "XXX"));
}

TEST(Country, WithoutAFigureTakesTheGridsOrElseTheWorlds) {
  const LocatedIntensity grid = located(in_country("CAF"));
  EXPECT_EQ(grid.intensity.method, "country");
  EXPECT_TRUE(contains(grid.intensity.source, "Electricity Maps")) << grid.intensity.source;
  EXPECT_GT(grid.intensity.value.g_per_kwh(), 0);

  const LocatedIntensity world = located(in_country("LIE"));
  EXPECT_EQ(world.intensity.method, "world average");
  EXPECT_EQ(world.place.country_name, "Liechtenstein") << "the country is known all the same";
  ASSERT_EQ(world.warnings.size(), 1U);
  EXPECT_TRUE(contains(world.warnings[0], "Liechtenstein (LIE)")) << world.warnings[0];
}

TEST(UnknownPlace, IsTheWorldAverageSaidLoudlyAndNoCountry) {
  for (const char* blank : {"", "  "}) {
    const LocatedIntensity nowhere = located(in_country(blank));
    EXPECT_EQ(nowhere.intensity.method, "world average");
    EXPECT_EQ(nowhere.place.country_name, "");
    EXPECT_EQ(nowhere.place.country_iso_code, "");
    ASSERT_EQ(nowhere.warnings.size(), 1U);
    EXPECT_TRUE(contains(nowhere.warnings[0], "world average")) << nowhere.warnings[0];
    EXPECT_TRUE(contains(nowhere.warnings[0], "country_iso_code")) << nowhere.warnings[0];
  }
}

TEST(Region, WithAFigureDecides) {
  const LocatedIntensity quebec = located(in_country("CAN", "quebec"));
  EXPECT_EQ(quebec.intensity.method, "region");
  EXPECT_EQ(quebec.place.region, "quebec") << "the user's own word";
  EXPECT_EQ(quebec.place.country_iso_code, "CAN");
  EXPECT_TRUE(quebec.warnings.empty());
  EXPECT_LT(quebec.intensity.value, located(in_country("CAN")).intensity.value);
  EXPECT_TRUE(contains(located(in_country("USA", "california")).intensity.source, "EPA eGRID"));
}

TEST(Region, WithoutAFigureLeavesTheCountrysAndIsSaid) {
  const LocatedIntensity paris = located(in_country("FRA", "ile-de-france"));
  EXPECT_EQ(paris.intensity.method, "country");
  EXPECT_EQ(paris.intensity.value, located(in_country("FRA")).intensity.value);
  EXPECT_EQ(paris.place.region, "ile-de-france");
  ASSERT_EQ(paris.warnings.size(), 1U);
  EXPECT_TRUE(contains(paris.warnings[0], "\"ile-de-france\"")) << paris.warnings[0];
  EXPECT_TRUE(contains(paris.warnings[0], "FR-COR")) << paris.warnings[0];
  EXPECT_EQ(located(in_country("NOR", "SE3")).intensity.method, "country");
}

TEST(Region, ThatIsTheCountryItselfNeedsNoWarning) {
  for (const char* own : {"FI", "fin", "Finland"}) {
    const LocatedIntensity finland = located(in_country("FIN", own));
    EXPECT_EQ(finland.intensity.method, "country");
    EXPECT_TRUE(finland.warnings.empty()) << own;
  }
}

TEST(Region, AloneDecidesOnlyByAWholeCode) {
  const LocatedIntensity zone = located(in_country("", "SE-SE3"));
  EXPECT_EQ(zone.intensity.method, "region");
  EXPECT_EQ(zone.place.country_iso_code, "SWE");
  EXPECT_TRUE(zone.warnings.empty());

  const LocatedIntensity word = located(in_country("", "georgia"));
  EXPECT_EQ(word.intensity.method, "world average");
  EXPECT_EQ(word.place.country_iso_code, "");
  ASSERT_EQ(word.warnings.size(), 2U);
  EXPECT_TRUE(contains(word.warnings[0], "\"georgia\"")) << word.warnings[0];
}

TEST(CloudRegion, DecidesAndNamesItsCountryAndPlace) {
  const LocatedIntensity paris = located(in_cloud("GCP", "Europe-West9"));
  EXPECT_EQ(paris.intensity.method, "cloud region");
  EXPECT_EQ(paris.place.country_iso_code, "FRA");
  EXPECT_EQ(paris.place.region, "Paris");
  EXPECT_EQ(paris.place.cloud_provider, "gcp");
  EXPECT_EQ(paris.place.cloud_region, "europe-west9");
  EXPECT_TRUE(paris.place.on_cloud);
  EXPECT_TRUE(paris.warnings.empty());
  EXPECT_TRUE(contains(paris.intensity.source, "Google Cloud")) << paris.intensity.source;
}

TEST(CloudRegion, GoesBeforeRegionAndCountryAndSaysWhenTheyDisagree) {
  PlaceRequest request = in_cloud("gcp", "europe-west9", "CAN");
  request.region = "quebec";
  const LocatedIntensity paris = located(request);
  EXPECT_EQ(paris.intensity.method, "cloud region");
  EXPECT_EQ(paris.place.country_iso_code, "FRA");
  EXPECT_EQ(paris.place.region, "quebec") << "the user's own word";
  ASSERT_EQ(paris.warnings.size(), 1U);
  EXPECT_TRUE(contains(paris.warnings[0], "France, not in Canada")) << paris.warnings[0];
}

TEST(CloudRegion, ThatTheProviderLacksFailsNamingNearOnes) {
  const std::string message = error_of(in_cloud("gcp", "us-eest5", "FRA"));
  EXPECT_TRUE(contains(message, "cloud_region: \"us-eest5\"")) << message;
  EXPECT_TRUE(contains(message, "accepted are us-east5;")) << message;
}

TEST(CloudRegion, OfAProviderWithoutFiguresLeavesItToTheCountry) {
  const LocatedIntensity aws = located(in_cloud("aws", "us-east-1", "USA"));
  EXPECT_EQ(aws.intensity.method, "country");
  EXPECT_EQ(aws.place.cloud_provider, "aws");
  EXPECT_EQ(aws.place.cloud_region, "us-east-1");
  EXPECT_TRUE(aws.place.on_cloud);
  ASSERT_EQ(aws.warnings.size(), 1U);
  EXPECT_TRUE(contains(aws.warnings[0], "\"aws\"")) << aws.warnings[0];
  EXPECT_EQ(located(in_cloud("aws", "us-east-1")).intensity.method, "world average");
}

TEST(CloudRegion, NeedsItsProviderAndTheProviderItsRegion) {
  const LocatedIntensity no_region = located(in_cloud("gcp", "", "FRA"));
  EXPECT_EQ(no_region.intensity.method, "country");
  EXPECT_TRUE(no_region.place.on_cloud);
  ASSERT_EQ(no_region.warnings.size(), 1U);
  EXPECT_TRUE(contains(no_region.warnings[0], "cloud_region"));

  const LocatedIntensity no_provider = located(in_cloud("", "us-east5", "FRA"));
  EXPECT_EQ(no_provider.intensity.method, "country");
  EXPECT_FALSE(no_provider.place.on_cloud);
  ASSERT_EQ(no_provider.warnings.size(), 1U);
  EXPECT_TRUE(contains(no_provider.warnings[0], "cloud_provider"));
}

TEST(Forced, DecidesWithoutAWordAboutThePlaceAndKeepsIt) {
  PlaceRequest request;
  request.forced_intensity = CarbonIntensity::from_g_per_kwh(0);
  EXPECT_EQ(located(request).intensity.method, "forced");
  EXPECT_TRUE(located(request).warnings.empty());
  request = in_cloud("gcp", "europe-west9");
  request.forced_intensity = CarbonIntensity::from_g_per_kwh(12.5);
  const LocatedIntensity paris = located(request);
  EXPECT_EQ(paris.intensity.value.g_per_kwh(), 12.5);
  EXPECT_EQ(paris.place.country_iso_code, "FRA");
}

TEST(Forced, MustBeANumberThatCanBe) {
  for (const double bad :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    PlaceRequest request;
    request.forced_intensity = CarbonIntensity::from_g_per_kwh(bad);
    EXPECT_TRUE(contains(error_of(request), "force_carbon_intensity_g_co2e_kwh")) << bad;
  }
}

TEST(EveryCountry, LocatesWithAPlausibleFigure) {
  carbon::CsvReader reader(embedded::countries);
  while (const auto row = reader.next()) {
    if ((*row)[0] == "WORLD") continue;
    const LocatedIntensity country = located(in_country(std::string((*row)[0])));
    EXPECT_EQ(country.place.country_iso_code, (*row)[0]);
    EXPECT_GT(country.intensity.value.g_per_kwh(), 0) << (*row)[0];
    EXPECT_LE(country.intensity.value.g_per_kwh(), 2000) << (*row)[0];
    EXPECT_EQ(country.warnings.empty(), country.intensity.method == "country") << (*row)[0];
  }
}

TEST(AnyRequest, HasAFiniteFigureAndAMethodOrAnErrorOfOneLine) {
  EXPECT_TRUE(rc::check([] {
    const auto text = [](std::vector<std::string> usual) {
      return *rc::gen::oneOf(rc::gen::elementOf(std::move(usual)),
                             rc::gen::arbitrary<std::string>());
    };
    PlaceRequest request;
    request.country_iso_code = text({"", "FRA", "usa", "XXX", "LIE"});
    request.country_2letter_iso_code = text({"", "FR", "zz"});
    request.region = text({"", "california", "SE-SE3", "FR"});
    request.cloud_provider = text({"", "gcp", "aws"});
    request.cloud_region = text({"", "us-west4", "nowhere1"});
    const auto result = locate(request);
    if (!result) {
      RC_ASSERT(result.error().message.find('\n') == std::string::npos);
      return;
    }
    RC_ASSERT(std::isfinite(result->intensity.value.g_per_kwh()));
    RC_ASSERT(!result->intensity.method.empty() && !result->intensity.source.empty());
    for (const std::string& line : result->warnings) {
      RC_ASSERT(line.find('\n') == std::string::npos);
    }
    RC_ASSERT(result->place.country_iso_code.empty() == result->place.country_name.empty());
  }));
}

}  // namespace
}  // namespace codecarbon
