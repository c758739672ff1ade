"""What the tables are made of, on small fixtures and without a network."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import data_tables  # noqa: E402

ISO = [("CAF", "CF", "Central African Republic"), ("FRA", "FR", "France"), ("SWE", "SE", "Sweden")]


def rows(text):
    return [line for line in text.splitlines() if not line.startswith("#")][1:]


class JsData(unittest.TestCase):
    def test_takes_the_literal_and_its_escapes(self):
        text = 'var x = {};\nconst data = { "A": { "n": "Qu\\xE9bec" }, "B": 1e3 };\nmodule = 1;'
        self.assertEqual(data_tables.js_data(text), {"A": {"n": "Québec"}, "B": 1000})

    def test_says_when_the_layout_changed(self):
        with self.assertRaises(ValueError):
            data_tables.js_data("export default {}")


class Countries(unittest.TestCase):
    def make(self, averages):
        return data_tables.countries(averages, ISO, "1.2.3", 2024)

    def test_keeps_countries_and_the_world_and_no_groups(self):
        text = self.make({"SWE": 40.0, "FRA": 44.18, "EU": 213.02, "WORLD": 472.94})
        self.assertEqual(rows(text), ["CAF,CF,Central African Republic,", "FRA,FR,France,44.18",
                                      "SWE,SE,Sweden,40", "WORLD,,World,472.94"])

    def test_zero_is_missing(self):
        self.assertIn("CAF,CF,Central African Republic,", rows(self.make({"CAF": 0, "WORLD": 1})))

    def test_does_not_depend_on_the_order_of_the_package(self):
        self.assertEqual(self.make({"SWE": 40, "FRA": 44, "WORLD": 472}),
                         self.make({"WORLD": 472, "FRA": 44, "SWE": 40}))

    def test_names_where_it_is_from(self):
        text = self.make({"WORLD": 472})
        for part in ("# source: Ember", "# year: up to 2024 (", "# package: @tgwf/co2 1.2.3", "# licence:"):
            self.assertIn(part, text)


class Zones(unittest.TestCase):
    def test_grid_zones_take_their_country(self):
        zone = {"zone": {"zoneName": "South Central Sweden", "displayName": "Middle"},
                "carbonIntensity": {"value": 20, "unit": "gCO2eq/kWh"}}
        text = data_tables.grid_zones({"SE-SE3": zone}, ISO, "1", 2025)
        self.assertEqual(rows(text), ["SE-SE3,SWE,South Central Sweden,Middle,20"])
        zone["carbonIntensity"]["unit"] = "lb/MWh"
        with self.assertRaises(ValueError):
            data_tables.grid_zones({"SE-SE3": zone}, ISO, "1", 2025)

    def test_pounds_become_grams(self):
        usa = {"_unit": {"emissions": "lbs/MWh"}, "_source": {"year": 2023, "field": "X"},
               "district of columbia": {"emissions": 1000.0, "regionCode": "DC"},
               "usa": {"emissions": 1.0, "regionCode": "usa"}}
        self.assertEqual(rows(data_tables.us_states(usa, "1")),
                         ["US-DC,USA,District of Columbia,,453.592"])

    def test_chinese_spellings_become_aliases(self):
        china = {"metadata": {"year": 2023}, "data": {"CN-NM": {
            "emission_factor": 647.9, "description": "Inner Mongolia",
            "names": ["inner mongolia", "nei mongol", "neimenggu"]}}}
        self.assertEqual(rows(data_tables.china_provinces(china, "1")),
                         ["CN-NM,CHN,Inner Mongolia,nei mongol;neimenggu,647.9"])


class Clouds(unittest.TestCase):
    HEADER = "\ufeffprovider,region,countryIsoCode,state,city,impact\n"

    def test_mends_the_misspelt_region_and_skips_empty_figures(self):
        text = self.HEADER + "gcp,me-cenrtal1,FRA,,Doha,575\ngcp,x,FRA,,,\n"
        self.assertEqual(rows(data_tables.cloud_regions(text, ISO, "1")),
                         ["gcp,me-central1,FRA,,Doha,575"])

    def test_unknown_country_is_an_error(self):
        with self.assertRaises(ValueError):
            data_tables.cloud_regions(self.HEADER + "gcp,x,XXX,,,1\n", ISO, "1")


class Processors(unittest.TestCase):
    def test_merges_doubles_and_leaves_out_the_unreadable(self):
        text = ('Name,TDP\nB,65.0\nA  1,15\nB,95\nC,27.29.5\nD,0.0\nF,0.65\n'
                '"E, 1 GHz",11.0\n')
        self.assertEqual(rows(data_tables.cpu_rated_power(text, "1")),
                         ["A 1,15", "B,95", '"E, 1 GHz",11', "F,0.65"])


class Table(unittest.TestCase):
    def test_refuses_what_the_reader_does_not_know(self):
        with self.assertRaises(ValueError):
            data_tables.table({}, ["a"], [['say "x"']])

    def test_json_round_trip_of_numbers(self):
        for value in (0.65, 44.18, 1000, 323.854):
            self.assertEqual(json.loads(data_tables.number(value)), value)


if __name__ == "__main__":
    unittest.main()
