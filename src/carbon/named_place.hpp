#pragma once
/// \file
/// What the user said of the place, held against what there is. Pure. The errors name option, value
/// and what is accepted.

#include <optional>
#include <string_view>

#include "carbon/carbon.hpp"
#include "carbon/cloud.hpp"
#include "carbon/country.hpp"

namespace codecarbon::carbon {

/// False for an option left empty or blank.
bool is_said(std::string_view text);

/// The country that the user named, if any; country_iso_code goes before the two-letter option.
Result<std::optional<Country>> named_country(const PlaceRequest& request);

/// The cloud region that the user named, if it is one of a provider there are figures for. Nothing
/// is known of other providers' regions, so nothing can be wrong with them.
Result<std::optional<CloudRegion>> named_cloud_region(const PlaceRequest& request);

/// Fails when the forced intensity is negative or not finite.
Status check_forced(const PlaceRequest& request);

}  // namespace codecarbon::carbon
