# Looks for ptxas, NVIDIA's assembler. It is optional: without it images carry PTX only, the driver assembles that,
# and the tests that assemble are skipped.
#
# The first of these wins: -DFUSE_PTXAS=path, the environment's FUSE_PTXAS and CUDA_HOME, PATH, the toolkit's usual
# places, and what `tools/dev/setup.sh --with-ptxas` downloads into the build folder.
#
# Sets FUSE_PTXAS_EXECUTABLE (empty when there is none) and FUSE_PTXAS_VERSION (such as 13.0).

set(FUSE_PTXAS "" CACHE FILEPATH "ptxas, NVIDIA's assembler; empty: look for it")

set(FUSE_PTXAS_EXECUTABLE "")
set(FUSE_PTXAS_VERSION "")
foreach(_named IN ITEMS "${FUSE_PTXAS}" "$ENV{FUSE_PTXAS}")
  if(_named AND NOT FUSE_PTXAS_EXECUTABLE)
    set(FUSE_PTXAS_EXECUTABLE "${_named}")
  endif()
endforeach()
if(NOT FUSE_PTXAS_EXECUTABLE)
  # Looked for at every configure, so that a toolkit which came, moved or went is noticed.
  file(GLOB _toolkits LIST_DIRECTORIES true "/usr/local/cuda-*")
  list(SORT _toolkits COMPARE NATURAL ORDER DESCENDING)
  list(TRANSFORM _toolkits APPEND "/bin")
  set(_home "$ENV{CUDA_HOME}")
  if(_home)
    set(_home "${_home}/bin")
  endif()
  find_program(_fuse_ptxas ptxas NO_CACHE NO_DEFAULT_PATH PATHS ${_home})
  find_program(_fuse_ptxas ptxas NO_CACHE
    PATHS /usr/local/cuda/bin ${_toolkits} /opt/cuda/bin "${PROJECT_BINARY_DIR}/ptxas/bin")
  if(_fuse_ptxas)
    set(FUSE_PTXAS_EXECUTABLE "${_fuse_ptxas}")
  endif()
  unset(_fuse_ptxas)
  unset(_home)
  unset(_toolkits)
endif()
unset(_named)

if(FUSE_PTXAS_EXECUTABLE)
  execute_process(COMMAND "${FUSE_PTXAS_EXECUTABLE}" --version
    OUTPUT_VARIABLE _answer ERROR_QUIET RESULT_VARIABLE _status)
  if(_status EQUAL 0 AND _answer MATCHES "release ([0-9]+\\.[0-9]+)")
    set(FUSE_PTXAS_VERSION "${CMAKE_MATCH_1}")
    message(STATUS "ptxas ${FUSE_PTXAS_VERSION}: ${FUSE_PTXAS_EXECUTABLE}")
  else()
    message(WARNING "ptxas: ${FUSE_PTXAS_EXECUTABLE} does not run, going on without it")
    set(FUSE_PTXAS_EXECUTABLE "")
  endif()
  unset(_answer)
  unset(_status)
else()
  message(STATUS "ptxas: not found, PTX will not be assembled (tools/dev/setup.sh --with-ptxas downloads it)")
endif()
