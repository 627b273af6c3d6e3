#!/bin/bash
. "${srcdir:-.}/tests/support/golden.sh"
finish
