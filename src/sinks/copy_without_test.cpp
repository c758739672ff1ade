#include "sinks/copy_without.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cerrno>

#include "sinks/test_folder.hpp"

namespace codecarbon {
namespace {

using testing::content;
using testing::put_content;
using testing::TestFolder;

const RowKey kKey{"the-key", 1, 3};

/// Rows around a place where the search goes on with its next block, some of them of the key.
struct Rows {
  std::string text = "a,b,c\n";
  std::string others = text;

  void add(const std::string& filler, bool own) {
    const std::string row = "\"" + filler + "\"," + (own ? kKey.value : "other") + ",1\n";
    text += row;
    if (!own) others += row;
  }
};

Rows any_rows() {
  Rows rows;
  for (int i = *rc::gen::inRange(1, 9); i > 0; --i) {
    const auto length = *rc::gen::element<std::size_t>(0, 40, 20'000, 65'530, 65'536, 140'000);
    std::string filler(length + *rc::gen::inRange<std::size_t>(0, 20), 'f');
    for (std::size_t at = 0; at < filler.size(); at += 1000) filler[at] = '\n';
    rows.add(filler, *rc::gen::arbitrary<bool>());
  }
  return rows;
}

OrErrno<void> copy(const std::filesystem::path& from, const std::filesystem::path& to,
                   const FileCalls& calls) {
  const Fd in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  const auto out = create_file(to);
  const auto size = file_size(in.get());
  if (!out || !size) return tl::unexpected(EIO);
  const auto first = find_row(in.get(), {6, *size}, *size, kKey);
  if (!first) return tl::unexpected(first.error());
  const ByteRange none{*size, *size};
  return copy_without_rows(in.get(), *size, kKey, first->value_or(none), out->get(), calls);
}

ssize_t cannot_send(int /*to*/, int /*from*/, off_t* /*begin*/, std::size_t /*size*/) {
  errno = EINVAL;
  return -1;
}

TEST(CopyWithout, LeavesOutExactlyTheRowsOfTheKeyWhereverTheyLie) {
  const TestFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const Rows rows = any_rows();
    put_content(folder / "from", rows.text);
    FileCalls calls;
    if (*rc::gen::arbitrary<bool>()) calls.send = cannot_send;
    RC_ASSERT(copy(folder / "from", folder / "to", calls).has_value());
    RC_ASSERT(content(folder / "to") == rows.others);
  }));
}

TEST(CopyWithout, SaysWhatTheSystemRefuses) {
  const TestFolder folder;
  Rows rows;
  rows.add("", true);
  rows.add(std::string(140'000, 'f'), false);
  put_content(folder / "from", rows.text);
  FileCalls cannot_copy;
  cannot_copy.send = [](auto...) {
    errno = ENOSPC;
    return ssize_t{-1};
  };
  EXPECT_EQ(copy(folder / "from", folder / "to", cannot_copy), tl::unexpected(ENOSPC));
  FileCalls cannot_write;
  cannot_write.write = [](auto...) {
    errno = EDQUOT;
    return ssize_t{-1};
  };
  EXPECT_EQ(copy(folder / "from", folder / "to", cannot_write), tl::unexpected(EDQUOT));
}

}  // namespace
}  // namespace codecarbon
