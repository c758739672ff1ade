#pragma once
/// \file
/// Regions of cloud providers that publish the intensity of their electricity. Pure; the texts
/// returned live for ever.

#include <optional>
#include <string>
#include <string_view>

#include "carbon/figure.hpp"

namespace codecarbon::carbon {

struct CloudRegion {
  std::string_view provider;
  std::string_view region;
  std::string_view iso3;   ///< of the country
  std::string_view state;  ///< may be empty
  std::string_view city;
  Figure figure;
};

/// True when there are figures for regions of this provider, in any case.
bool has_cloud_figures(std::string_view provider);

/// The region of the provider, in any case. A zone of a region ("europe-west9-a") is taken for it.
std::optional<CloudRegion> find_cloud_region(std::string_view provider, std::string_view region);

/// The provider's regions that `region` may have meant or, when none is near, all of them.
std::string cloud_regions_like(std::string_view provider, std::string_view region);

}  // namespace codecarbon::carbon
