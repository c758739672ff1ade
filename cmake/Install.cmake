# What `cmake --install` puts down besides the command: library, headers, and what find_package and
# pkg-config need to find them, wherever the tree is moved to.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/codecarbon)

install(TARGETS codecarbon EXPORT codecarbonTargets)
install(DIRECTORY include/codecarbon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/codecarbon/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/codecarbon)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES data/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME data-sources.md OPTIONAL)

install(EXPORT codecarbonTargets NAMESPACE codecarbon:: DESTINATION ${package_dir})
configure_package_config_file(cmake/codecarbonConfig.cmake.in codecarbonConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(codecarbonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/codecarbonConfig.cmake
              ${PROJECT_BINARY_DIR}/codecarbonConfigVersion.cmake
        DESTINATION ${package_dir})

if(BUILD_SHARED_LIBS)
  set(pc_requires_private "Requires.private: fmt inih")
  set(pc_libs "-lcodecarbon")
else()
  set(pc_requires_private "Requires: fmt inih")
  set(pc_libs "-lcodecarbon -lstdc++ -lm -ldl -pthread")
endif()
file(RELATIVE_PATH pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
configure_file(cmake/codecarbon.pc.in codecarbon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/codecarbon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Completion for shells, as the command itself prints it.
function(codecarbon_completion shell file folder)
  set(output ${PROJECT_BINARY_DIR}/completion/${file})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
    COMMAND codecarbon_cli completion ${shell} > ${output}
    DEPENDS codecarbon_cli VERBATIM)
  add_custom_target(completion_${shell} ALL DEPENDS ${output})
  install(FILES ${output} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} OPTIONAL)
endfunction()

codecarbon_completion(bash codecarbon bash-completion/completions)
codecarbon_completion(zsh _codecarbon zsh/site-functions)
codecarbon_completion(fish codecarbon.fish fish/vendor_completions.d)
