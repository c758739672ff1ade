# codecarbon_embed_text(TARGET SYMBOL FILE [HEAD]) compiles a text file into TARGET as
#   extern const std::string_view codecarbon::embedded::SYMBOL;
# declared in the generated header "embedded/SYMBOL.hpp", which TARGET and what links it can include.
# FILE is relative to the project's root; HEAD takes only the lines at its beginning that start with
# "#". The text is constant-initialised, so it costs nothing at start-up, and a changed file rebuilds
# it. Needs only CMake and the compiler. TARGET must have been made in the calling folder.
#
# Run as a script (cmake -DSYMBOL= -DTEXT= -DOUTPUT= -DHEAD= -P) this file writes the source.

if(CMAKE_SCRIPT_MODE_FILE AND CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ "${TEXT}" text)
  if(HEAD)
    string(REGEX MATCH "^(#[^\n]*\n)+" text "${text}")
  endif()
  set(fence "codecarbon_text")
  string(FIND "${text}" ")${fence}\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${TEXT} contains the fence of the literal it would be embedded in")
  endif()
  file(WRITE "${OUTPUT}" "#include \"embedded/${SYMBOL}.hpp\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace codecarbon::embedded {
namespace {
constexpr char kText[] = R\"${fence}(${text})${fence}\";
}  // namespace

constinit const std::string_view ${SYMBOL}{kText, sizeof(kText) - 1};

}  // namespace codecarbon::embedded
")
  return()
endif()

include_guard(GLOBAL)
set(CODECARBON_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}" CACHE INTERNAL "")

function(codecarbon_embed_text target symbol file)
  cmake_parse_arguments(PARSE_ARGV 3 EMBED "HEAD" "" "")
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE text)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded_text")
  set(header "${folder}/embedded/${symbol}.hpp")
  set(source "${folder}/${symbol}.cpp")
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT "#pragma once

#include <string_view>

namespace codecarbon::embedded {

/// The text of a file of the source tree, as it was when this was built.
extern const std::string_view @symbol@;

}  // namespace codecarbon::embedded
")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DSYMBOL=${symbol}" "-DTEXT=${text}" "-DOUTPUT=${source}"
            "-DHEAD=${EMBED_HEAD}" -P "${CODECARBON_EMBED_SCRIPT}"
    DEPENDS "${text}" "${CODECARBON_EMBED_SCRIPT}"
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${folder}>")
endfunction()
