/* cairo_library.h - cairo and pango, loaded when a picture wants them and not before */
#pragma once

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

/*
 * Linked in the usual way they bring 35 more libraries into each start of the program, which
 * takes it from 6 to 20 ms: more than most pictures as SVG. These are what is called of them.
 */
/* clang-format off */
#define CAIRO_LIBRARY(function) \
	function(cairo_clip) \
	function(cairo_close_path) \
	function(cairo_create) \
	function(cairo_destroy) \
	function(cairo_fill) \
	function(cairo_image_surface_create) \
	function(cairo_line_to) \
	function(cairo_move_to) \
	function(cairo_paint) \
	function(cairo_pdf_surface_create_for_stream) \
	function(cairo_pdf_surface_set_metadata) \
	function(cairo_rectangle) \
	function(cairo_restore) \
	function(cairo_save) \
	function(cairo_scale) \
	function(cairo_set_dash) \
	function(cairo_set_line_width) \
	function(cairo_set_source_rgb) \
	function(cairo_show_page) \
	function(cairo_status) \
	function(cairo_stroke) \
	function(cairo_surface_destroy) \
	function(cairo_surface_finish) \
	function(cairo_surface_status) \
	function(cairo_surface_write_to_png_stream) \
	function(cairo_translate) \
	function(g_object_unref) \
	function(pango_cairo_create_layout) \
	function(pango_cairo_show_layout) \
	function(pango_font_description_free) \
	function(pango_font_description_from_string) \
	function(pango_font_description_set_absolute_size) \
	function(pango_font_description_set_weight) \
	function(pango_layout_get_baseline) \
	function(pango_layout_get_pixel_size) \
	function(pango_layout_set_ellipsize) \
	function(pango_layout_set_font_description) \
	function(pango_layout_set_single_paragraph_mode) \
	function(pango_layout_set_text) \
	function(pango_layout_set_width)
/* clang-format on */

struct cairo_library {
#define CAIRO_LIBRARY_MEMBER(name) __typeof__(name) *name;
	CAIRO_LIBRARY(CAIRO_LIBRARY_MEMBER)
#undef CAIRO_LIBRARY_MEMBER
};

/* NULL with errno ELIBACC where they cannot be loaded. They stay loaded. */
const struct cairo_library *cairo_library_load(void);
