#include <fmt/format.h>

#include "base/text.hpp"
#include "carbon/carbon.hpp"
#include "carbon/cloud.hpp"
#include "carbon/country.hpp"
#include "carbon/csv_table.hpp"
#include "carbon/named_place.hpp"
#include "carbon/place_name.hpp"
#include "carbon/zone.hpp"

namespace codecarbon {
namespace {

using carbon::CloudRegion;
using carbon::Country;
using carbon::Figure;
using carbon::folded;
using carbon::is_said;
using carbon::Zone;

IntensityReport intensity_of(const Figure& figure, std::string_view method) {
  return {figure.intensity, std::string(method), carbon::table_source(figure.table)};
}

void set_country(PlaceReport& place, const Country& country) {
  place.country_name = country.name;
  place.country_iso_code = country.iso3;
}

/// Builds the answer for one request, from the most exact figure there is down to the world
/// average.
class Locator {
 public:
  Locator(const PlaceRequest& request, std::optional<Country> country)
      : request_(request), country_(std::move(country)) {
    located_.place.region = request.region;
    located_.place.cloud_provider = request.cloud_provider;
    located_.place.cloud_region = request.cloud_region;
    located_.place.on_cloud = is_said(request.cloud_provider);
    if (country_) set_country(located_.place, *country_);
  }

  LocatedIntensity locate(const std::optional<CloudRegion>& cloud) && {
    if (cloud) {
      use(*cloud);
    } else {
      explain_cloud();
      use_region_or_wider();
    }
    return std::move(located_);
  }

 private:
  void warn(std::string line) { located_.warnings.push_back(std::move(line)); }

  void use(const CloudRegion& cloud) {
    PlaceReport& place = located_.place;
    const std::optional<Country> country = carbon::find_country(cloud.iso3);
    if (country && country_ && country->iso3 != country_->iso3) {
      warn(fmt::format("cloud_region {} is in {}, not in {}: its own figure and country are used",
                       cloud.region, country->name, country_->name));
    }
    if (country) set_country(place, *country);
    if (!is_said(place.region)) place.region = cloud.state.empty() ? cloud.city : cloud.state;
    place.cloud_provider = cloud.provider;
    place.cloud_region = cloud.region;
    located_.intensity = intensity_of(cloud.figure, "cloud region");
  }

  /// Says why what was told about a cloud does not lead to a figure.
  void explain_cloud() {
    const bool provider = is_said(request_.cloud_provider);
    if (provider && !carbon::has_cloud_figures(request_.cloud_provider)) {
      warn(
          fmt::format("there are no figures for regions of cloud_provider {}: region or country "
                      "decide the intensity",
                      in_quotes(request_.cloud_provider)));
    } else if (provider) {
      warn(
          fmt::format("cloud_provider {} is given without cloud_region: region or country decide "
                      "the intensity",
                      in_quotes(request_.cloud_provider)));
    } else if (is_said(request_.cloud_region)) {
      warn(fmt::format("cloud_region {} is not used: give its cloud_provider too",
                       in_quotes(request_.cloud_region)));
    }
  }

  void use_region_or_wider() {
    if (const auto zone = named_zone()) {
      if (!country_) country_ = carbon::find_country(zone->iso3);
      if (country_) set_country(located_.place, *country_);
      located_.intensity = intensity_of(zone->figure, "region");
      return;
    }
    explain_region();
    if (country_) {
      use_country();
    } else {
      use_world("the place is unknown");
      located_.warnings.back() += "; name a country with country_iso_code for a truer one";
    }
  }

  std::optional<Zone> named_zone() const {
    if (!is_said(request_.region)) return std::nullopt;
    // Without a country only a complete code is safe: there is a Georgia in two countries.
    return country_ ? carbon::find_zone(*country_, request_.region)
                    : carbon::find_zone(request_.region);
  }

  void explain_region() {
    const std::string region = folded(request_.region);
    if (region.empty()) return;
    if (!country_) {
      warn(fmt::format("region {} is not used: give its country too (country_iso_code)",
                       in_quotes(request_.region)));
      return;
    }
    for (const std::string_view own : {country_->iso2, country_->iso3, country_->name}) {
      if (folded(own) == region) return;
    }
    const std::string zones = carbon::zones_of(*country_);
    warn(fmt::format("region {} of {} has no figure of its own: the country's is used{}{}",
                     in_quotes(request_.region), country_->name,
                     zones.empty() ? "" : "; regions with figures: ", zones));
  }

  void use_country() {
    const auto figure =
        country_->figure ? country_->figure : carbon::country_zone_figure(*country_);
    if (figure) {
      located_.intensity = intensity_of(*figure, "country");
    } else {
      use_world(fmt::format("there is no figure for {} ({})", country_->name, country_->iso3));
    }
  }

  void use_world(std::string_view why) {
    const Figure world = carbon::world_average();
    located_.intensity = intensity_of(world, "world average");
    warn(fmt::format("{}: the world average of {:.0f} gCO2e/kWh is used", why,
                     world.intensity.g_per_kwh()));
  }

  const PlaceRequest& request_;
  std::optional<Country> country_;
  LocatedIntensity located_;
};

}  // namespace

Result<LocatedIntensity> locate(const PlaceRequest& request) {
  if (const Status status = carbon::check_forced(request); !status) {
    return tl::unexpected(status.error());
  }
  const auto country = carbon::named_country(request);
  if (!country) return tl::unexpected(country.error());
  const auto cloud = carbon::named_cloud_region(request);
  if (!cloud) return tl::unexpected(cloud.error());
  LocatedIntensity located = Locator(request, *country).locate(*cloud);
  if (request.forced_intensity) {
    // How the place would have decided the intensity is of no interest then.
    located.warnings.clear();
    located.intensity = {*request.forced_intensity, "forced",
                         "given as force_carbon_intensity_g_co2e_kwh"};
  }
  return located;
}

}  // namespace codecarbon
