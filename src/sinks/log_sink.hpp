#pragma once

#include <memory>

#include "base/logger.hpp"
#include "codecarbon/sink.hpp"

namespace codecarbon {

/// Says every report, and every task, as one line of JSON at level info.
std::unique_ptr<Sink> make_log_sink(std::shared_ptr<const Logger> logger);

}  // namespace codecarbon
