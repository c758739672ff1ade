#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "carbon/carbon.hpp"
#include "carbon/country.hpp"
#include "carbon/csv_table.hpp"
#include "carbon/zone.hpp"
#include "config/option_table.hpp"
#include "embedded/cloud_regions.hpp"
#include "embedded/countries.hpp"
#include "embedded/cpu_rated_power.hpp"
#include "errors.hpp"
#include "parts.hpp"
#include "report/row.hpp"
#include "sensors/modelled/rated_power.hpp"
#include "text.hpp"

namespace codecarbon::python {
namespace {

using AnyDict = nb::typed<nb::dict, nb::str, nb::any>;
using AnyDicts = nb::typed<nb::list, AnyDict>;
using CountryRow = nb::typed<nb::tuple, nb::str, nb::str, nb::str, std::optional<double>>;

using ZoneRow = nb::typed<nb::tuple, nb::str, nb::str, double>;
using PowerRow = nb::typed<nb::tuple, nb::str, double>;

constexpr std::string_view kWorld = "WORLD";

AnyDicts options() {
  nb::list rows;
  for (const OptionRow& option : option_table()) {
    nb::dict row;
    row["name"] = to_str(option.name);
    row["default"] = to_str(option.default_text);
    row["accepted"] = to_str(option.accepted);
    row["help"] = to_str(option.help);
    row["is_boolean"] = option.is_boolean;
    rows.append(row);
  }
  return AnyDicts(std::move(rows));
}

nb::typed<nb::list, CountryRow> countries() {
  nb::list rows;
  carbon::CsvReader reader(embedded::countries);
  while (const auto row = reader.next()) {
    if ((*row)[0] == kWorld) continue;
    rows.append(nb::make_tuple(to_str((*row)[0]), to_str((*row)[1]), to_str((*row)[2]),
                               carbon::number((*row)[3])));
  }
  return nb::typed<nb::list, CountryRow>(std::move(rows));
}

nb::typed<nb::list, ZoneRow> zones(const nb::str& country_iso_code) {
  nb::list rows;
  if (const auto country = carbon::find_country(to_text(country_iso_code))) {
    for (const carbon::Zone& zone : carbon::zones_in(*country)) {
      rows.append(
          nb::make_tuple(to_str(zone.code), to_str(zone.name), zone.figure.intensity.g_per_kwh()));
    }
  }
  return nb::typed<nb::list, ZoneRow>(std::move(rows));
}

nb::typed<nb::list, PowerRow> cpu_rated_powers() {
  nb::list rows;
  carbon::CsvReader reader(embedded::cpu_rated_power);
  while (const auto row = reader.next()) {
    if (const auto watts = carbon::number((*row)[1])) {
      rows.append(nb::make_tuple(to_str((*row)[0]), *watts));
    }
  }
  return nb::typed<nb::list, PowerRow>(std::move(rows));
}

/// Each row with the names of the table's columns; the last is a number.
AnyDicts cloud_regions() {
  nb::list rows;
  carbon::CsvReader reader(embedded::cloud_regions);
  while (const auto row = reader.next()) {
    nb::dict entry;
    for (std::size_t i = 0; i + 1 < reader.columns().size; ++i) {
      entry[to_str(reader.columns()[i])] = to_str((*row)[i]);
    }
    entry["g_per_kwh"] = carbon::number((*row)[reader.columns().size - 1]);
    rows.append(entry);
  }
  return AnyDicts(std::move(rows));
}

AnyDict located_as_dict(const LocatedIntensity& located) {
  const PlaceReport& place = located.place;
  nb::dict dict;
  dict["country_name"] = to_str(place.country_name);
  dict["country_iso_code"] = to_str(place.country_iso_code);
  dict["region"] = to_str(place.region);
  dict["cloud_provider"] = to_str(place.cloud_provider);
  dict["cloud_region"] = to_str(place.cloud_region);
  dict["longitude"] = place.longitude;
  dict["latitude"] = place.latitude;
  dict["on_cloud"] = place.on_cloud;
  dict["g_per_kwh"] = located.intensity.value.g_per_kwh();
  dict["method"] = to_str(located.intensity.method);
  dict["source"] = to_str(located.intensity.source);
  dict["warnings"] = to_list(located.warnings);
  return AnyDict(std::move(dict));
}

AnyDict locate_by_names(const nb::str& country_iso_code, const nb::str& country_2letter_iso_code,
                        const nb::str& region, const nb::str& cloud_provider,
                        const nb::str& cloud_region, std::optional<double> force_g) {
  PlaceRequest request;
  request.country_iso_code = to_text(country_iso_code);
  request.country_2letter_iso_code = to_text(country_2letter_iso_code);
  request.region = to_text(region);
  request.cloud_provider = to_text(cloud_provider);
  request.cloud_region = to_text(cloud_region);
  if (force_g) request.forced_intensity = CarbonIntensity::from_g_per_kwh(*force_g);
  return located_as_dict(value_or_raise(locate(request)));
}

std::optional<double> cpu_rated_power(const nb::str& model) {
  const auto power = modelled::find_rated_power(to_text(model), embedded::cpu_rated_power);
  return power ? std::optional(power->watts()) : std::nullopt;
}

constexpr const char* kLocate =
    "Where a place is and what a kWh stands for there: country_name, country_iso_code, region,\n"
    "cloud_provider, cloud_region, longitude, latitude, on_cloud, g_per_kwh, method, source and\n"
    "warnings. \"\" is: not said. force_g is a carbon intensity in gCO2e/kWh that goes before "
    "all.\n"
    "Raises ValueError for a country or cloud region that does not exist.";

}  // namespace

void add_tables(nb::module_& module) {
  module.def(
      "columns", [] { return to_list(standard_columns()); },
      "The 38 columns of a row of the CSV, in order.");
  module.def(
      "extended_columns", [] { return to_list(extended_columns()); },
      "The standard columns and, after them, those of csv_columns=extended.");
  module.def(
      "task_columns", [] { return to_list(task_columns()); },
      "The columns of the per-task file, in order.");
  module.def("options", &options,
             "Every option: name, default (\"\" for none), accepted, help, is_boolean.");
  module.def("countries", &countries,
             "Every country: three letters, two letters, name, gCO2e/kWh (None: not known).");
  module.def("cloud_regions", &cloud_regions,
             "Every cloud region with a figure: provider, region, iso3, state, city, g_per_kwh.");
  module.def(
      "zones", &zones, nb::arg("country_iso_code"),
      "The parts of a country with figures of their own: code, name, gCO2e/kWh. Of two with\n"
      "one name the first holds. Empty where the country has none, or is none.");
  module.def("locate", &locate_by_names, nb::arg("country_iso_code") = "",
             nb::arg("country_2letter_iso_code") = "", nb::arg("region") = "",
             nb::arg("cloud_provider") = "", nb::arg("cloud_region") = "",
             nb::arg("force_g") = nb::none(), kLocate);
  module.def("cpu_rated_powers", &cpu_rated_powers,
             "Every processor of the table: name, rated power in W.");
  module.def("cpu_rated_power", &cpu_rated_power, nb::arg("model"),
             "Rated power in W of one processor of this model; None when it is in no table.");
}

}  // namespace codecarbon::python
