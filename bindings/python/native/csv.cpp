#include <fcntl.h>
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "parts.hpp"
#include "sinks/csv_file.hpp"
#include "sinks/csv_layout.hpp"
#include "text.hpp"

namespace codecarbon::python {
namespace {

using Notes = std::vector<std::pair<int, std::string>>;
using NoteList = nb::typed<nb::list, nb::typed<nb::tuple, int, nb::str>>;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown-host";
  return name.data();
}

NoteList to_list_of_notes(const Notes& notes) {
  nb::list list;
  for (const auto& [level, line] : notes) list.append(nb::make_tuple(level, to_str(line)));
  return NoteList(std::move(list));
}

/// A file that rows are written to. Holds no lock and no descriptor between calls, so that any
/// number of threads and forked processes may use one.
class PyCsvFile {
 public:
  PyCsvFile(const nb::str& path, const StrList& columns, const nb::str& mode)
      : path_(absolute_or_given(to_text(path))),
        columns_(to_texts(columns)),
        names_(columns_.begin(), columns_.end()) {
    const std::string text = to_text(mode);
    updates_ = text == "update";
    if (!updates_ && text != "append") {
      raise({ErrorKind::invalid_value,
             fmt::format("mode: \"{}\" is not accepted: append or update", text)});
    }
  }
  PyCsvFile(const PyCsvFile&) = delete;
  PyCsvFile& operator=(const PyCsvFile&) = delete;

  NoteList append(const StrList& values) const { return put(values, false); }
  NoteList update(const StrList& values) const { return put(values, true); }
  NoteList write(const StrList& values) const { return put(values, updates_); }

  StrList header() const {
    return to_list(value_or_raise(without_lock([&] { return read_columns(); })));
  }

 private:
  NoteList put(const StrList& values, bool replace) const {
    const std::vector<Cell> row = to_row(values);
    Notes notes;
    value_or_raise(without_lock([&] { return put_row(row, replace, notes); }));
    return to_list_of_notes(notes);
  }

  std::vector<Cell> to_row(const StrList& values) const {
    std::vector<std::string> texts = to_texts(values);
    if (texts.size() != columns_.size()) {
      raise({ErrorKind::invalid_value, fmt::format("values: {} of them are not accepted: one for "
                                                   "each of the {} columns",
                                                   texts.size(), columns_.size())});
    }
    std::vector<Cell> row;
    for (std::size_t i = 0; i < texts.size(); ++i) row.push_back({names_[i], std::move(texts[i])});
    return row;
  }

  Status put_row(std::span<const Cell> row, bool replace, Notes& notes) const {
    // Kept for the caller, because the file is locked while the engine speaks of it.
    auto logger = std::make_shared<const Logger>(
        [&notes](LogLevel level, std::string_view line) {
          notes.emplace_back(static_cast<int>(level), line);
        },
        LogLevel::debug);
    CsvFile file({.path = path_, .columns = names_, .host_name = host_name()}, std::move(logger));
    return replace ? file.update(row, "run_id") : file.append(row);
  }

  Result<std::vector<std::string>> read_columns() const {
    const Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd && errno == ENOENT) return {};
    if (!fd) return io_failure("read the header of", path_, errno);
    const auto header = read_header(fd.get());
    if (!header) return io_failure("read the header of", path_, header.error());
    return std::vector<std::string>(header->columns.begin(), header->columns.end());
  }

  std::filesystem::path path_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> names_;  // of columns_
  bool updates_ = false;
};

constexpr const char* kCsvFile =
    "A CSV file that any number of processes and threads may write to. A file with other columns\n"
    "is moved to a numbered .bak. Raises ValueError for another mode.";
constexpr const char* kAppend =
    "One more row, with a value for each column. Returns what the user should be told: pairs of a\n"
    "level (0 debug to 4 critical) and a line. Raises OSError, and then nothing was written.";
constexpr const char* kUpdate =
    "The same, in place of the rows of the file that have this row's run_id.";

}  // namespace

void add_csv_file(nb::module_& module) {
  nb::class_<PyCsvFile>(module, "CsvFile", kCsvFile, nb::is_final())
      .def(nb::init<const nb::str&, const StrList&, const nb::str&>(), nb::arg("path"),
           nb::arg("columns"), nb::arg("mode") = "append")
      .def("append", &PyCsvFile::append, nb::arg("values"), kAppend)
      .def("update", &PyCsvFile::update, nb::arg("values"), kUpdate)
      .def("write", &PyCsvFile::write, nb::arg("values"), "append or update, by the mode.")
      .def("header", &PyCsvFile::header,
           "The columns of the file as it is now; none when it is missing or empty. Raises "
           "OSError.");
}

}  // namespace codecarbon::python
