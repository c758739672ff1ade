#pragma once

#include <string>

namespace codecarbon {

/// The reference of all options as Markdown, made from the table that checks them: the content of
/// docs/options.md.
std::string options_markdown();

}  // namespace codecarbon
