#!/usr/bin/env python3
"""Makes every table of data/ from packages of the registries, in one command.

    tools/update_data.py                        fetch the packages below, write data/*.csv
    tools/update_data.py --check                the same, but only compare: exit 1 if one differs
    tools/update_data.py --co2 0.20.0 --ember-year 2025
                                                a newer release
    tools/update_data.py --co2-folder F --codecarbon-folder G
                                                from unpacked packages, without a network

Needs Python 3.9, and npm and pip for fetching. The Ember averages carry no years in their package:
--ember-year is the newest among them. data/output/average-intensities.json in the source repository
of @tgwf/co2 has the year of each.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import data_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--co2", default="0.19.0", help="version of @tgwf/co2")
    parser.add_argument("--codecarbon", default="3.3.2", help="version of codecarbon")
    parser.add_argument("--ember-year", type=int, default=2024)
    parser.add_argument("--co2-folder", type=pathlib.Path, help="@tgwf/co2, unpacked")
    parser.add_argument("--codecarbon-folder", type=pathlib.Path,
                        help="what the codecarbon wheel unpacks to")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "data")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    return parser.parse_args()


def fetch_co2(version, folder):
    """The unpacked npm package."""
    subprocess.run(["npm", "pack", "--silent", f"@tgwf/co2@{version}"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            target = (folder / member.name).resolve()
            if member.isfile() and folder.resolve() in target.parents:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())
    return folder / "package"


def fetch_codecarbon(version, folder):
    """The unpacked wheel."""
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                    "--only-binary", ":all:", "--dest", str(folder), f"codecarbon=={version}"],
                   check=True)
    (archive,) = folder.glob("*.whl")
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(folder / "wheel")
    return folder / "wheel"


def newest(paths):
    """The path with the highest number in its name, and that number."""
    years = {int(re.search(r"(\d{4})", path.name).group(1)): path for path in paths}
    if not years:
        raise FileNotFoundError("no yearly data in the package: has its layout changed?")
    year = max(years)
    return years[year], year


def read(path):
    return path.read_text(encoding="utf-8")


def co2_tables(package, version, ember_year, iso):
    data = package / "dist" / "cjs" / "data"
    averages = data_tables.js_data(read(data / "average-intensities.min.js"))
    zones_path, zones_year = newest((data / "electricity-maps").glob("yearly_*.js"))
    zones = data_tables.js_data(read(zones_path))
    return {
        "countries.csv": data_tables.countries(averages, iso, version, ember_year),
        "grid_zones.csv": data_tables.grid_zones(zones, iso, version, zones_year),
    }


def codecarbon_tables(wheel, version, iso):
    data = wheel / "codecarbon" / "data"
    private = data / "private_infra"
    usa, _ = newest_in(private, "usa_emissions.json")
    china, _ = newest_in(private, "china_provincial_emissions.json")
    return {
        "us_states.csv": data_tables.us_states(json.loads(read(usa)), version),
        "china_provinces.csv": data_tables.china_provinces(json.loads(read(china)), version),
        "cloud_regions.csv": data_tables.cloud_regions(
            read(data / "cloud" / "impact.csv"), iso, version),
        "cpu_rated_power.csv": data_tables.cpu_rated_power(
            read(data / "hardware" / "cpu_power.csv"), version),
        "licences/codecarbon.txt": read(
            wheel / f"codecarbon-{version}.dist-info" / "licenses" / "LICENSE"),
    }


def newest_in(folder, name):
    """`name` in the subfolder of the newest year that has it."""
    found, year = newest([path.parent for path in folder.glob(f"2*/{name}")])
    return found / name, year


def make(arguments, scratch):
    iso = data_tables.read_countries(read(ROOT / "tools" / "iso3166.csv"))
    co2 = arguments.co2_folder or fetch_co2(arguments.co2, scratch)
    codecarbon = arguments.codecarbon_folder or fetch_codecarbon(arguments.codecarbon, scratch)
    tables = co2_tables(co2, arguments.co2, arguments.ember_year, iso)
    tables.update(codecarbon_tables(codecarbon, arguments.codecarbon, iso))
    return tables


def differs(path, text):
    return not path.is_file() or read(path) != text


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        tables = make(arguments, pathlib.Path(scratch))
    changed = [name for name, text in tables.items() if differs(arguments.out / name, text)]
    for name in changed:
        print(f"{'differs' if arguments.check else 'written'}: {name}")
        if not arguments.check:
            path = arguments.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(tables[name], encoding="utf-8")
    return 1 if arguments.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
