"""The version of the package, which is that of the libraries."""

VERSION = "0.1.0"
