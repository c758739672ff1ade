#include "carbon/named_place.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "carbon/place_name.hpp"

namespace codecarbon::carbon {
namespace {

tl::unexpected<Error> not_a_country(const std::string& option, std::string_view text) {
  const std::string like = countries_like(text);
  return fail(
      ErrorKind::invalid_value,
      fmt::format("{}: {} is no country: {}accepted are the two- and three-letter codes of ISO "
                  "3166, such as FRA, USA or DE, or nothing for the world average",
                  option, in_quotes(text),
                  like.empty() ? like : fmt::format("near it: {}; ", like)),
      option);
}

}  // namespace

bool is_said(std::string_view text) {
  return !folded(text).empty();
}

Result<std::optional<Country>> named_country(const PlaceRequest& request) {
  const bool three = is_said(request.country_iso_code);
  const std::string& text = three ? request.country_iso_code : request.country_2letter_iso_code;
  if (!is_said(text)) return std::nullopt;
  std::optional<Country> country = find_country(text);
  if (country) return country;
  return not_a_country(three ? "country_iso_code" : "country_2letter_iso_code", text);
}

Result<std::optional<CloudRegion>> named_cloud_region(const PlaceRequest& request) {
  const bool checkable = is_said(request.cloud_region) && is_said(request.cloud_provider) &&
                         has_cloud_figures(request.cloud_provider);
  if (!checkable) return std::nullopt;
  auto region = find_cloud_region(request.cloud_provider, request.cloud_region);
  if (region) return region;
  return fail(ErrorKind::invalid_value,
              fmt::format("cloud_region: {} is no region of {}: accepted are {}; if it is a new "
                          "one, leave it out and give country_iso_code",
                          in_quotes(request.cloud_region), in_quotes(request.cloud_provider),
                          cloud_regions_like(request.cloud_provider, request.cloud_region)),
              "cloud_region");
}

Status check_forced(const PlaceRequest& request) {
  if (!request.forced_intensity) return {};
  const double value = request.forced_intensity->g_per_kwh();
  if (std::isfinite(value) && value >= 0) return {};
  return fail(
      ErrorKind::invalid_value,
      fmt::format("force_carbon_intensity_g_co2e_kwh: {} is not accepted: a number of grams "
                  "per kilowatt-hour, 0 or more",
                  value),
      "force_carbon_intensity_g_co2e_kwh");
}

}  // namespace codecarbon::carbon
