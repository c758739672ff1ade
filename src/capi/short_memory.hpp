#pragma once

/// For tests of what happens without memory: linking short_memory.cpp replaces the global operator
/// new by one that refuses this thread after so many more allocations; negative: never. A source of
/// its own, so that no compiler sees free() at work on what operator new gave and warns.
void set_memory_left(long allocations);
long memory_left();
