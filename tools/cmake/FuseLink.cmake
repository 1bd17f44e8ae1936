# How executables and shared libraries link MLIR and LLVM: against the distribution's archives. What is built so needs
# nothing but glibc, runs on machines without LLVM, and starts twice as fast as with MLIR's and LLVM's shared libraries.
#
#   fuse_link(fuse)
#
# Our own libraries are archives and link neither.
#
# Include after find_package(MLIR).

# All archives of MLIR and LLVM are offered to the linker, which takes from them what is referenced: the exact
# closure, in under 2 s. CMake could not compute it: Debian builds MLIR against libLLVM.so, so its imported
# targets name `LLVM` where they mean a few of LLVM's components. The linker also leaves out what those components
# merely mention: libxml2, z3, libedit, curl, ffi.
function(_fuse_archives result)
  file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  list(FILTER archives EXCLUDE REGEX "MlirOptMain") # defines main()
  if(NOT archives)
    message(FATAL_ERROR "fuse links LLVM's and MLIR's archives, but ${LLVM_LIBRARY_DIR} has none")
  endif()
  foreach(name z zstd)
    find_library(FUSE_ARCHIVE_${name} lib${name}.a)
    mark_as_advanced(FUSE_ARCHIVE_${name})
    if(NOT FUSE_ARCHIVE_${name})
      message(FATAL_ERROR "fuse links lib${name}.a, which was not found (Debian: zlib1g-dev libzstd-dev)")
    endif()
    list(APPEND archives "${FUSE_ARCHIVE_${name}}")
  endforeach()
  set(${result} "${archives}" PARENT_SCOPE)
endfunction()

function(fuse_link target)
  _fuse_archives(archives)
  target_link_libraries(${target} PRIVATE "$<LINK_GROUP:RESCAN,${archives}>")
  # No --icf=all: MLIR tells dialect extensions apart by the address of a function, and two that happen to compile
  # to the same code would become one, without a word. --icf=safe has nothing to fold: Debian strips its archives
  # of the address-significance tables.
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc
    LINKER:--gc-sections LINKER:-z,pack-relative-relocs LINKER:--build-id)
endfunction()
