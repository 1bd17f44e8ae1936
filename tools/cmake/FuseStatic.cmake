# How libraries and executables link MLIR and LLVM: against the distribution's
# two shared libraries (the default), or, with -DFUSE_STATIC=ON, against its
# archives. A static executable needs nothing but glibc, and starts faster.
#
#   fuse_link_mlir(FuseIR PUBLIC)    a library or executable that uses MLIR
#   fuse_finish_executable(fuse)     every executable, after it got its libraries
#
# Include after find_package(MLIR) and include(CTest).

option(FUSE_STATIC "link all but glibc statically" OFF)

# MLIR and LLVM, never an MLIRFoo: those are archives, and a second copy of LLVM
# in a process aborts with "option registered more than once". In the static
# build only the executable links them.
function(fuse_link_mlir target scope)
  if(NOT FUSE_STATIC)
    target_link_libraries(${target} ${scope} MLIR LLVM)
  endif()
endfunction()

# All archives of MLIR and LLVM are offered to the linker, which takes what is
# referenced: the exact closure, in three seconds. CMake could not compute it,
# for Debian builds MLIR against libLLVM.so, and so the imported targets say
# `LLVM` where they mean a few of its components. What those only mention
# (libxml2, z3, libedit, curl, ffi) is never referenced, and stays out.
function(_fuse_static_archives result)
  file(GLOB archives
    "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  list(FILTER archives EXCLUDE REGEX "MlirOptMain") # has a main()
  if(NOT archives)
    message(FATAL_ERROR "FUSE_STATIC: no archives in ${LLVM_LIBRARY_DIR}")
  endif()
  foreach(name z zstd)
    find_library(FUSE_STATIC_${name} lib${name}.a)
    mark_as_advanced(FUSE_STATIC_${name})
    if(NOT FUSE_STATIC_${name})
      message(FATAL_ERROR
        "FUSE_STATIC: lib${name}.a not found (Debian: zlib1g-dev libzstd-dev)")
    endif()
    list(APPEND archives "${FUSE_STATIC_${name}}")
  endforeach()
  set(${result} "${archives}" PARENT_SCOPE)
endfunction()

function(fuse_finish_executable target)
  if(NOT FUSE_STATIC)
    return()
  endif()
  _fuse_static_archives(archives)
  target_link_libraries(${target} PRIVATE
    "$<LINK_GROUP:RESCAN,${archives}>")
  # Not --icf=all: MLIR tells dialect extensions apart by the address of a
  # function, so two that compile to the same code would silently become one.
  # --icf=safe would fold nothing: Debian's archives lost the tables it needs.
  target_link_options(${target} PRIVATE
    -fuse-ld=lld -static-libstdc++ -static-libgcc
    LINKER:--gc-sections LINKER:--strip-all LINKER:-z,pack-relative-relocs)
  add_test(NAME ${target}.needs_only_glibc COMMAND sh -c [[
    needed=$("$1" --needed-libs "$2" | grep -F .so)
    echo "needs:" $needed
    test -n "$needed" &&
      ! echo "$needed" | grep -vE '^ *(libc|libm|ld-linux-x86-64)\.so'
    ]] sh "${LLVM_TOOLS_BINARY_DIR}/llvm-readelf" "$<TARGET_FILE:${target}>")
endfunction()
