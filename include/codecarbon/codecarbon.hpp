#pragma once
/// \file
/// The whole C++ interface.

#include "codecarbon/clock.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/log.hpp"
#include "codecarbon/memory_sink.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "codecarbon/sink.hpp"
#include "codecarbon/tracker.hpp"
#include "codecarbon/units.hpp"
#include "codecarbon/version.hpp"
