#include "capi/short_memory.hpp"

#include <cstdlib>
#include <new>

namespace {

// How many more times this thread gets memory; negative: always.
thread_local long left = -1;

bool memory_refused() {
  if (left < 0) return false;
  if (left == 0) return true;
  --left;
  return false;
}

}  // namespace

void set_memory_left(long allocations) {
  left = allocations;
}

long memory_left() {
  return left;
}

void* operator new(std::size_t size) {
  void* const memory = memory_refused() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
