#include "readings/allocations_fixture.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace codecarbon::testing_support {
namespace {

std::atomic<long> allocations = 0;

}  // namespace

long allocations_so_far() {
  return allocations;
}

}  // namespace codecarbon::testing_support

// Of each that the library would pair with one of these, so that none is freed by another's rules.

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  codecarbon::testing_support::allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
