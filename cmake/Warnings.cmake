add_library(codecarbon_build_flags INTERFACE)
target_compile_options(codecarbon_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align -Wunused
  -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough -Werror
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wextra-semi>)
if(CODECARBON_SANITIZE)
  target_compile_options(codecarbon_build_flags INTERFACE
    -fsanitize=${CODECARBON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(codecarbon_build_flags INTERFACE -fsanitize=${CODECARBON_SANITIZE})
endif()
# g++ 12 sees overlapping copies in its own std::string concatenation (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(codecarbon_build_flags INTERFACE -Wno-restrict)
endif()
