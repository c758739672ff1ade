#include "sinks/row_search.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "sinks/csv_text.hpp"
#include "sinks/row_fixture.hpp"
#include "sinks/test_folder.hpp"

namespace codecarbon {
namespace {

using testing::any_row;
using testing::encode;

using testing::TestFolder;

TEST(RowSearch, FindsExactlyTheRowsOfTheKeyWhateverTheTextsHold) {
  const TestFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const RowKey key{*rc::gen::element<std::string>("kk", "k\"k", "k"), 1, 3};
    std::string text = "a,b,c\n";
    const std::size_t first_row = text.size();
    std::vector<ByteRange> expected;
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
      const CsvRecord row = any_row();
      const std::uint64_t begin = text.size();
      text += encode(row);
      if (row[1] == key.value) expected.push_back({begin, text.size()});
    }
    testing::put_content(folder / "f", text);
    const Fd fd(::open((folder / "f").c_str(), O_RDONLY));
    RC_ASSERT(find_rows(fd.get(), {first_row, text.size()}, text.size(), key) == expected);
  }));
}

TEST(RowSearch, DoesNotTakeTheRestOfARowForARow) {
  const TestFolder folder;
  const std::string text = "a,b,c\nxyz,k,1\nq,k,2\n";
  testing::put_content(folder / "f", text);
  const Fd fd(::open((folder / "f").c_str(), O_RDONLY));
  const std::uint64_t inside_first = text.find("yz");
  EXPECT_EQ(find_rows(fd.get(), {inside_first, text.size()}, text.size(), {"k", 1, 3}),
            (std::vector<ByteRange>{{text.find('q'), text.size()}}));
}

TEST(RowSearch, FindsRowsAcrossBlocksAndLongerThanThem) {
  const TestFolder folder;
  std::string text = "a,b,c\n";
  std::vector<ByteRange> expected;
  for (int i = 0; i < 60; ++i) {
    std::string filler(static_cast<std::size_t>(i) * 12'345, 'f');
    for (std::size_t at = 0; at < filler.size(); at += 1000) filler[at] = '\n';
    const std::uint64_t begin = text.size();
    text += encode({filler, i % 3 == 0 ? "the-key" : "other", filler});
    if (i % 3 == 0) expected.push_back({begin, text.size()});
  }
  testing::put_content(folder / "f", text);
  const Fd fd(::open((folder / "f").c_str(), O_RDONLY));
  const auto found = find_rows(fd.get(), {6, text.size()}, text.size(), {"the-key", 1, 3});
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace codecarbon
