"""From the packages' files to the tables of data/. Pure: text in, text out; no network, no files.

Every table starts with `# key: value` lines that say where its figures come from and what their
licence asks; then a CSV header and rows in a fixed order, so that the same packages always give the
same bytes.
"""

import csv
import io
import json
import re

GRAMS_PER_POUND = 453.59237

# Names that are misspelt in the package.
CLOUD_REGION_CORRECTIONS = {("gcp", "me-cenrtal1"): "me-central1"}

# Ember counts the whole life cycle, so that no country comes near zero: the lowest figure beside the
# zeros is above 20. Less than this is a rounded or missing figure.
LEAST_PLAUSIBLE_G_PER_KWH = 5.0


def js_data(text):
    """The object literal that a data module of @tgwf/co2 assigns to `data`."""
    match = re.search(r"\bconst data = (\{.*?\});", text, re.DOTALL)
    if match is None:
        raise ValueError("no `const data = {...};` in the module: has its layout changed?")
    # JavaScript writes some characters as \xe9, which JSON does not know.
    return json.loads(re.sub(r"\\x([0-9a-fA-F]{2})", r"\\u00\1", match.group(1)))


def number(value):
    """The shortest decimal text: 65 and not 65.0, at most three places."""
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return text


def table(head, columns, rows):
    """The text of one table."""
    out = io.StringIO()
    for key, value in head.items():
        out.write(f"# {key}: {value}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        if any('"' in cell or "\n" in cell for cell in row):
            raise ValueError(f"a quote or line end in {row}: the reader does not know those")
        writer.writerow(row)
    return out.getvalue()


def read_countries(text):
    """iso3166.csv as a list of (iso3, iso2, name)."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [(row["iso3"], row["iso2"], row["name"]) for row in csv.DictReader(lines)]


def countries(averages, iso, co2_version, year):
    """Ember's averages for every ISO country, empty where it has none, and the world."""
    rows = []
    for iso3, iso2, name in iso:
        value = averages.get(iso3)
        missing = value is None or value < LEAST_PLAUSIBLE_G_PER_KWH
        rows.append([iso3, iso2, name, "" if missing else number(value)])
    rows.sort()
    rows.append(["WORLD", "", "World", number(averages["WORLD"])])
    head = {
        "title": "Carbon intensity of electricity by country, yearly average",
        "source": "Ember",
        "year": f"up to {year} (the newest that Ember has of each country, for many one or two "
                "years earlier; the package does not say which)",
        "package": f"@tgwf/co2 {co2_version}",
        "licence": "CC BY-SA 4.0",
        "asks": "name Ember as the source, say what was changed, "
                "pass changed versions on under the same licence",
        "unit": "g_per_kwh is gCO2e per kWh of generation, life cycle",
        "changed": "groups of countries left out; figures below "
                   f"{number(LEAST_PLAUSIBLE_G_PER_KWH)} g/kWh left empty as implausible; "
                   "ISO 3166-1 codes and names added",
    }
    return table(head, ["iso3", "iso2", "name", "g_per_kwh"], rows)


ZONE_COLUMNS = ["code", "iso3", "name", "aliases", "g_per_kwh"]


def grid_zones(zones, iso, co2_version, year):
    """Electricity Maps' yearly averages; a code of two letters is a whole country."""
    iso3_of = {iso2: iso3 for iso3, iso2, _ in iso}
    rows = []
    for code, zone in zones.items():
        unit = zone["carbonIntensity"]["unit"]
        if unit != "gCO2eq/kWh":
            raise ValueError(f"{code} is in {unit}, not in gCO2eq/kWh")
        names = zone["zone"]
        rows.append([code, iso3_of[code.split("-")[0]], names["zoneName"],
                     names.get("displayName", ""), number(zone["carbonIntensity"]["value"])])
    rows.sort()
    head = {
        "title": "Carbon intensity of electricity by grid zone, yearly average",
        "source": "Electricity Maps",
        "year": str(year),
        "package": f"@tgwf/co2 {co2_version}",
        "licence": "ODbL 1.0",
        "asks": "credit Electricity Maps, keep derived databases under the same licence, "
                "keep them open",
        "unit": "g_per_kwh is gCO2e per kWh; by its published method of consumption, imports "
                "traced, life cycle",
        "changed": "only names and carbon intensity kept; ISO 3166-1 country codes added",
    }
    return table(head, ZONE_COLUMNS, rows)


def us_states(emissions, codecarbon_version):
    """The states of the USA; pounds per MWh become grams per kWh."""
    source = emissions["_source"]
    if emissions["_unit"]["emissions"] != "lbs/MWh":
        raise ValueError(f"unit {emissions['_unit']['emissions']}, not lbs/MWh")
    rows = []
    for name, state in emissions.items():
        if name.startswith("_") or name == "usa":
            continue
        rows.append([f"US-{state['regionCode']}", "USA", title_case(name), "",
                     number(state["emissions"] * GRAMS_PER_POUND / 1000)])
    rows.sort()
    head = {
        "title": "Carbon intensity of electricity by state of the USA, yearly average",
        "source": "EPA eGRID",
        "year": str(source["year"]),
        "package": f"codecarbon {codecarbon_version}",
        "licence": "public domain (US government work), by way of an MIT-licensed package",
        "asks": "nothing; naming EPA eGRID is good manners",
        "unit": f"g_per_kwh is gCO2e per kWh of generation ({source['field']})",
        "changed": "lb/MWh converted to g/kWh; ISO 3166-2 codes added",
    }
    return table(head, ZONE_COLUMNS, rows)


def title_case(name):
    return " ".join(word if word == "of" else word.capitalize() for word in name.split())


def china_provinces(provinces, codecarbon_version):
    """The provinces of China, with the spellings that location services use."""
    rows = []
    for code, province in provinces["data"].items():
        name = province["description"]
        aliases = [alias for alias in province["names"] if alias != name.lower()]
        rows.append([code, "CHN", name, ";".join(aliases), number(province["emission_factor"])])
    rows.sort()
    head = {
        "title": "Carbon intensity of electricity by province of China, yearly average",
        "source": "Ministry of Ecology and Environment and National Bureau of Statistics of China",
        "year": str(provinces["metadata"]["year"]),
        "package": f"codecarbon {codecarbon_version}",
        "licence": "MIT (the package's)",
        "asks": "keep the package's copyright and licence notice (data/licences/codecarbon.txt)",
        "unit": "g_per_kwh is gCO2 (CO2 only, no life cycle) per kWh of consumption",
        "changed": "nothing",
    }
    return table(head, ZONE_COLUMNS, rows)


def cloud_regions(text, iso, codecarbon_version):
    """Cloud regions for which the provider publishes an intensity."""
    known = {iso3 for iso3, _, _ in iso}
    rows = []
    for row in csv.DictReader(io.StringIO(text.lstrip("\ufeff"))):
        if not row["impact"]:
            continue
        if row["countryIsoCode"] not in known:
            raise ValueError(f"{row['countryIsoCode']} of {row['region']} is not a country")
        key = (row["provider"], row["region"])
        rows.append([row["provider"], CLOUD_REGION_CORRECTIONS.get(key, row["region"]),
                     row["countryIsoCode"], row["state"], row["city"], number(row["impact"])])
    rows.sort()
    head = {
        "title": "Carbon intensity of the electricity of cloud regions",
        "source": "Google Cloud, carbon data across regions",
        "year": f"not stated (as released with codecarbon {codecarbon_version})",
        "package": f"codecarbon {codecarbon_version}",
        "licence": "MIT (the package's)",
        "asks": "name Google Cloud as the source, "
                "keep the package's copyright and licence notice (data/licences/codecarbon.txt)",
        "unit": "g_per_kwh is gCO2e per kWh of the grid, the provider's offsets not counted",
        "changed": "a misspelt region name mended",
    }
    columns = ["provider", "region", "iso3", "state", "city", "g_per_kwh"]
    return table(head, columns, rows)


def watts_or_none(text):
    """A plausible rated power; nothing for garbled ones such as 27.29.5."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < 5000 else None


def cpu_rated_power(text, codecarbon_version):
    """Rated power (TDP) of processors; a name given twice keeps its highest figure."""
    watts = {}
    for row in csv.DictReader(io.StringIO(text.lstrip("\ufeff"))):
        name = " ".join(row["Name"].split())
        value = watts_or_none(row["TDP"])
        if name and value is not None:
            watts[name] = max(value, watts.get(name, 0.0))
    head = {
        "title": "Rated power (TDP) of processors",
        "source": "makers' product pages (Intel, AMD and others), collected by codecarbon",
        "year": f"not stated (as released with codecarbon {codecarbon_version})",
        "package": f"codecarbon {codecarbon_version}",
        "licence": "MIT (the package's)",
        "asks": "keep the package's copyright and licence notice (data/licences/codecarbon.txt)",
        "unit": "tdp_w is watts",
        "changed": "spaces in names collapsed, doubled names merged, unreadable figures left out",
    }
    rows = [[name, number(watts[name])] for name in sorted(watts)]
    return table(head, ["name", "tdp_w"], rows)
