# How executables link MLIR and LLVM: against the distribution's two shared libraries, or against its archives. A
# static executable needs nothing but glibc, and so runs on machines without LLVM.
#
#   fuse_link(fuse)            statically with -DFUSE_STATIC=ON, else not
#   fuse_link_static(fuse)     statically in any case
#
# Our own libraries are archives and link neither, so both kinds of executable can be made of them.
#
# Include after find_package(MLIR).

option(FUSE_STATIC "link MLIR, LLVM, libstdc++, zlib and zstd statically: executables need only glibc" OFF)

# All archives of MLIR and LLVM are offered to the linker, which takes from them what is referenced: the exact
# closure, in about 3 s. CMake could not compute it: Debian builds MLIR against libLLVM.so, so its imported
# targets name `LLVM` where they mean a few of LLVM's components. The linker also leaves out what those components
# merely mention: libxml2, z3, libedit, curl, ffi.
function(_fuse_static_archives result)
  file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  list(FILTER archives EXCLUDE REGEX "MlirOptMain") # defines main()
  if(NOT archives)
    message(FATAL_ERROR "a static build needs LLVM's and MLIR's archives, but ${LLVM_LIBRARY_DIR} has none")
  endif()
  foreach(name z zstd)
    find_library(FUSE_STATIC_${name} lib${name}.a)
    mark_as_advanced(FUSE_STATIC_${name})
    if(NOT FUSE_STATIC_${name})
      message(FATAL_ERROR "a static build needs lib${name}.a (Debian: zlib1g-dev libzstd-dev)")
    endif()
    list(APPEND archives "${FUSE_STATIC_${name}}")
  endforeach()
  set(${result} "${archives}" PARENT_SCOPE)
endfunction()

function(fuse_link_static target)
  _fuse_static_archives(archives)
  target_link_libraries(${target} PRIVATE "$<LINK_GROUP:RESCAN,${archives}>")
  # No --icf=all: MLIR tells dialect extensions apart by the address of a function, and two that happen to compile
  # to the same code would become one, without a word. --icf=safe has nothing to fold: Debian strips its archives
  # of the address-significance tables.
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc
    LINKER:--gc-sections LINKER:--strip-all LINKER:-z,pack-relative-relocs)
endfunction()

function(fuse_link target)
  if(FUSE_STATIC)
    fuse_link_static(${target})
  else()
    # One of each, never an MLIRFoo: those are archives, and a second copy of MLIR or LLVM in a process aborts with
    # "option registered more than once".
    target_link_libraries(${target} PRIVATE MLIR LLVM)
  endif()
endfunction()
