# One of the project's libraries that uses MLIR:
#
#   add_fuse_library(FuseIR FuseOps.cpp ... DEPENDS FuseIRIncGen LINK FuseOther)
#
# MLIR and LLVM are linked by executables only, see FuseStatic. DEPENDS names generated headers, LINK the project's own libraries below it.
function(add_fuse_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  fuse_precompile(${name})
endfunction()

# Gives a target, whose files read MLIR's headers, the ones that were parsed already.
function(fuse_precompile name)
  if(NOT TARGET FusePrecompiled)
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/Precompiled.cpp" CONTENT "")
    add_library(FusePrecompiled OBJECT "${PROJECT_BINARY_DIR}/Precompiled.cpp")
    target_precompile_headers(FusePrecompiled PRIVATE "${PROJECT_SOURCE_DIR}/lib/Precompiled.h")
  endif()
  target_precompile_headers(${name} REUSE_FROM FusePrecompiled)
endfunction()
