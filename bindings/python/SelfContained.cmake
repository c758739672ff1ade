# What pip installs goes to machines that have none of our libraries, so those are built in: fmt from
# its headers, inih from its archive. To be included after both were found and before src.
add_compile_definitions(FMT_HEADER_ONLY=1)
add_link_options(LINKER:--as-needed)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_library(CODECARBON_INIH_ARCHIVE libinih.a HINTS ${inih_LIBRARY_DIRS} ${inih_LIBDIR})
if(CODECARBON_INIH_ARCHIVE)
  set_property(TARGET PkgConfig::inih PROPERTY INTERFACE_LINK_LIBRARIES ${CODECARBON_INIH_ARCHIVE})
else()
  message(WARNING "no libinih.a: the Python package will need the shared library where it runs")
endif()
