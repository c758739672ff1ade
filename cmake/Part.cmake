# One folder under src/ is one library. codecarbon_part(NAME SOURCES ... DEPENDS parts ... LINK libs ...
# TESTS ...) makes target codecarbon_NAME; DEPENDS is the only statement of which other parts it may
# include, and tests/layers.py holds the includes against it. Tests sit beside the code.
function(codecarbon_part name)
  cmake_parse_arguments(PART "" "" "SOURCES;DEPENDS;LINK;TESTS;TEST_LINK" ${ARGN})
  set(target codecarbon_${name})
  if(PART_SOURCES)
    add_library(${target} STATIC ${PART_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:codecarbon_build_flags>)
    set_property(GLOBAL APPEND PROPERTY CODECARBON_PARTS ${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  foreach(part ${PART_DEPENDS})
    target_link_libraries(${target} ${scope} codecarbon_${part})
  endforeach()
  target_link_libraries(${target} ${scope} ${PART_LINK})
  if(CODECARBON_TESTS AND PART_TESTS)
    add_executable(${name}_test ${PART_TESTS})
    target_link_libraries(${name}_test PRIVATE
      ${target} ${PART_TEST_LINK} codecarbon_build_flags GTest::gtest_main rapidcheck)
    target_compile_definitions(${name}_test PRIVATE
      CODECARBON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
