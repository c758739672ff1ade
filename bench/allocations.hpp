#pragma once

/// How often this program has asked for memory so far. Linking allocations.cpp replaces the global
/// operator new by one that counts. Thread-safe.
long allocations_so_far();
