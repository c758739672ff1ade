#include "sinks/copy_without.hpp"

#include <unistd.h>

#include <cerrno>

namespace codecarbon {
namespace {

/// Copies a file in order and leaves parts out.
class Copier {
 public:
  Copier(int from, int to, const FileCalls& calls) : from_(from), to_(to), calls_(calls) {}

  OrErrno<void> copy_up_to(std::uint64_t offset) {
    if (offset <= done_) return {};
    const auto copied = copy_range(from_, {done_, offset}, to_, calls_);
    if (copied) done_ = offset;
    return copied;
  }

  /// Writes what is at hand instead of reading it again, as far as it is not copied yet.
  OrErrno<void> copy_piece(const Searched& piece) {
    if (const auto copied = copy_up_to(piece.begin); !copied) return copied;
    const std::uint64_t known = done_ - piece.begin;
    if (known >= piece.text.size()) return {};
    const auto written = write_all(to_, piece.text.substr(known), calls_);
    if (written) done_ = piece.begin + piece.text.size();
    return written;
  }

  /// The beginning of `part` may have been copied already.
  OrErrno<void> leave_out(ByteRange part) {
    if (const auto copied = copy_up_to(part.begin); !copied) return copied;
    if (const auto back = take_back(done_ - part.begin); !back) return back;
    done_ = part.end;
    return {};
  }

 private:
  OrErrno<void> take_back(std::uint64_t bytes) {
    if (bytes == 0) return {};
    const off_t end = ::lseek(to_, -static_cast<off_t>(bytes), SEEK_CUR);
    if (end < 0) return tl::unexpected(errno);
    return cut_file(to_, static_cast<std::uint64_t>(end));
  }

  int from_;
  int to_;
  const FileCalls& calls_;
  std::uint64_t done_ = 0;  ///< of `from_`, copied or left out
};

}  // namespace

OrErrno<void> copy_without_rows(int from, std::uint64_t size, const RowKey& key, ByteRange first,
                                int to, const FileCalls& calls) {
  Copier copier(from, to, calls);
  const auto copy_piece = [&](const Searched& piece) { return copier.copy_piece(piece); };
  for (std::optional<ByteRange> row = first; row;) {
    if (const auto left_out = copier.leave_out(*row); !left_out) return left_out;
    auto next = find_row(from, {row->end, size}, size, key, copy_piece);
    if (!next) return tl::unexpected(next.error());
    row = *next;
  }
  return copier.copy_up_to(size);
}

}  // namespace codecarbon
