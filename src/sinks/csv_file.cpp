#include "sinks/csv_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/fnv1a.hpp"
#include "sinks/file_moves.hpp"
#include "sinks/say.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

/// How often the file may turn out to be somebody else's before this gives up.
constexpr int kMostMoves = 10;
/// Of a row that is taken away. Longer than any row that this library writes.
constexpr std::size_t kLongestSaid = 1U << 16U;

/// Without links, so that what is renamed is the file itself.
fs::path settled(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = absolute_or_given(path);
  if (absolute.is_relative()) return absolute;
  fs::path real = fs::weakly_canonical(absolute, failed);
  return failed ? absolute : real;
}

bool is_device(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

}  // namespace

fs::path absolute_or_given(const fs::path& path) {
  std::error_code failed;
  fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute;
}

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
  const auto done = is_device(path_) ? put_to_device(row) : put_locked(row, key);
  for (const auto& [level, text] : std::exchange(notes_, {})) say(*logger_, level, text);
  if (!done) return io_failure("write a row to", path_, done.error());
  return {};
}

OrErrno<void> CsvFile::put_to_device(std::span<const Cell> row) {
  const Fd device(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
  if (!device) return tl::unexpected(errno);
  const auto layout = CsvLayout::of_new_file(settings_.columns);
  std::string text = layout.encode(row);
  if (!device_begun_) text.insert(0, layout.encode_names(settings_.columns));
  const auto written = write_all(device.get(), text, settings_.calls);
  if (written) device_begun_ = true;
  return written;
}

OrErrno<void> CsvFile::put_locked(std::span<const Cell> row, std::optional<std::size_t> key) {
  auto csv = open();
  if (!csv) return tl::unexpected(csv.error());
  const std::string text = csv->layout.encode(row);
  if (csv->first_row == 0) return begin(*csv, text);
  if (!key) return append_text(*csv, text, settings_.calls);
  const RowKey row_key{row[*key].value, csv->layout.place_of(*key), csv->layout.columns()};
  return replacer_.replace(*csv, path_, journal_, row_key, text, settings_.calls);
}

/// A file that could not be begun is not left behind empty, unless it was there before.
OrErrno<void> CsvFile::begin(OpenCsv& csv, const std::string& row) {
  const auto begun =
      append_text(csv, csv.layout.encode_names(settings_.columns) + row, settings_.calls);
  const bool left_empty = !begun && csv.file.is_new() && file_size(csv.file.fd()) == 0U;
  if (left_empty) ::unlink(path_.c_str());
  return begun;
}

OrErrno<OpenCsv> CsvFile::open() {
  const auto give_up = std::chrono::steady_clock::now() + settings_.patience;
  for (int moves = 0; moves < kMostMoves; ++moves) {
    auto file = open_locked(give_up);
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

tl::expected<LockedFile, LockedFile::Failure> CsvFile::open_locked(LockedFile::Deadline give_up) {
  if (lock_path_.empty()) {
    auto file = LockedFile::open(path_, settings_.calls, give_up);
    if (file || !file.error().no_locks) return file;
    switch_to_file_of_host();
  }
  return LockedFile::open_behind(lock_path_, path_, settings_.calls, give_up);
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
  // What others left there is looked at once; from then on writers that are ours are expected.
  const auto torn = drop_torn_row(csv, !looked_at_end_);
  if (!torn) return tl::unexpected(torn.error());
  looked_at_end_ = true;
  if (*torn) {
    const std::string& row = **torn;
    note(LogLevel::warning,
         fmt::format("took a row of {} bytes from the end of '{}' that a killed process left "
                     "half-written: {}{}",
                     row.size(), path_.string(), row.substr(0, kLongestSaid),
                     row.size() > kLongestSaid ? "..." : ""));
  }
  return {};
}

}  // namespace codecarbon
