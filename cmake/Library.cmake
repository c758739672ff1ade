# The library that others link: all parts as one, shared or static by BUILD_SHARED_LIBS.
get_property(parts GLOBAL PROPERTY CODECARBON_PARTS)
set(objects)
foreach(part ${parts})
  list(APPEND objects $<TARGET_OBJECTS:${part}>)
endforeach()

add_library(codecarbon ${objects})
add_library(codecarbon::codecarbon ALIAS codecarbon)
set_target_properties(codecarbon PROPERTIES
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(codecarbon INTERFACE cxx_std_20)
target_include_directories(codecarbon INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# tl::expected is in the public headers; the others stay inside.
target_link_libraries(codecarbon
  PUBLIC tl::expected
  PRIVATE fmt::fmt Threads::Threads PkgConfig::inih ${CMAKE_DL_LIBS}
          $<BUILD_INTERFACE:codecarbon_build_flags>)
if(NOT CODECARBON_SANITIZE AND NOT CODECARBON_FUZZ)
  # A name that no library gives is found here and not by the user's linker.
  target_link_options(codecarbon PRIVATE LINKER:--no-undefined)
endif()
