#include "sinks/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "sinks/file_moves.hpp"
#include "sinks/fnv1a.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

/// How often the file may turn out to be somebody else's before this gives up.
constexpr int kMostMoves = 10;

/// Absolute, so that the program may change its folder, and without links, so that what is renamed
/// is the file itself.
fs::path settled(const fs::path& path) {
  std::error_code failed;
  fs::path absolute = fs::absolute(path, failed);
  fs::path real = fs::weakly_canonical(absolute, failed);
  return failed ? absolute : real;
}

}  // namespace

CsvFile::CsvFile(CsvFileSettings settings, std::shared_ptr<const Logger> logger)
    : settings_(std::move(settings)),
      logger_(std::move(logger)),
      path_(settled(settings_.path)),
      journal_(path_) {}

Status CsvFile::append(std::span<const Cell> row) {
  return put(row, std::nullopt);
}

Status CsvFile::update(std::span<const Cell> row, std::string_view key_column) {
  const auto found = std::find(settings_.columns.begin(), settings_.columns.end(), key_column);
  const auto key = static_cast<std::size_t>(found - settings_.columns.begin());
  if (key >= row.size() || row[key].value.empty()) return append(row);
  return put(row, key);
}

Status CsvFile::put(std::span<const Cell> row, std::optional<std::size_t> key) {
  const auto done = put_locked(row, key);
  for (const auto& [level, text] : std::exchange(notes_, {})) logger_->log(level, text);
  if (!done) return io_failure("write a row to", path_, done.error());
  return {};
}

OrErrno<void> CsvFile::put_locked(std::span<const Cell> row, std::optional<std::size_t> key) {
  auto csv = open();
  if (!csv) return tl::unexpected(csv.error());
  const std::string text = csv->layout.encode(row);
  if (csv->first_row == 0) {
    return append_text(*csv, csv->layout.encode_names(settings_.columns) + text, settings_.calls);
  }
  if (!key) return append_text(*csv, text, settings_.calls);
  const RowKey row_key{row[*key].value, csv->layout.place_of(*key), csv->layout.columns()};
  return replacer_.replace(*csv, path_, journal_, row_key, text, settings_.calls);
}

OrErrno<OpenCsv> CsvFile::open() {
  for (int moves = 0; moves < kMostMoves; ++moves) {
    auto file = open_locked();
    if (!file) return tl::unexpected(file.error().code);
    const auto replayed = journal_.replay(file->fd(), settings_.calls);
    if (!replayed) return tl::unexpected(replayed.error());
    const auto size = file_size(file->fd());
    if (!size) return tl::unexpected(size.error());
    const auto header = read_header(file->fd());
    if (!header) return tl::unexpected(header.error());

    OpenCsv csv{std::move(*file), CsvLayout::of_new_file(settings_.columns), *size, 0};
    if (header->columns.empty()) {
      // Nothing, a BOM, empty lines: readers want the header to be the first line.
      if (const auto cut = cut_file(csv.file.fd(), 0); !cut) return tl::unexpected(cut.error());
      csv.size = 0;
      return csv;
    }
    if (auto layout = CsvLayout::of_header(*header, settings_.columns)) {
      csv.layout = std::move(*layout);
      csv.first_row = header->size;
      if (const auto mended = mend(csv); !mended) return tl::unexpected(mended.error());
      return csv;
    }
    // Still under the lock, so that of many processes only one moves the file.
    if (const auto moved = move_away(); !moved) return tl::unexpected(moved.error());
  }
  return tl::unexpected(EBUSY);
}

tl::expected<LockedFile, LockedFile::Failure> CsvFile::open_locked() {
  if (lock_path_.empty()) {
    auto file = LockedFile::open(path_, settings_.calls);
    if (file || !file.error().no_locks) return file;
    switch_to_file_of_host();
  }
  return LockedFile::open_behind(lock_path_, path_, settings_.calls);
}

void CsvFile::switch_to_file_of_host() {
  const fs::path shared = path_;
  path_.replace_filename(fmt::format("{}.{}{}", shared.stem().string(), settings_.host_name,
                                     shared.extension().string()));
  lock_path_ = settings_.lock_folder /
               fmt::format("codecarbon-{}-{:016x}.lock", ::getuid(), fnv1a(path_.string()));
  journal_ = TailJournal(path_);
  note(LogLevel::warning,
       fmt::format("'{}' is on a file system without locks: the rows of this host go to '{}'",
                   shared.string(), path_.string()));
}

OrErrno<void> CsvFile::move_away() {
  const auto backup = move_to_backup(path_);
  if (!backup) return tl::unexpected(backup.error());
  note(LogLevel::warning, fmt::format("'{}' has other columns: moved to '{}', a new file begins",
                                      path_.string(), backup->string()));
  return {};
}

OrErrno<void> CsvFile::mend(OpenCsv& csv) {
  const auto torn = drop_torn_row(csv);
  if (!torn) return tl::unexpected(torn.error());
  if (*torn) {
    note(LogLevel::warning,
         fmt::format("took a row from the end of '{}' that a killed process left half-written: {}",
                     path_.string(), (*torn)->substr(0, 200)));
  }
  return {};
}

}  // namespace codecarbon
