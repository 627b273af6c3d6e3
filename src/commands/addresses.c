/* addresses.c - addresses of one file named: tephra symbolize --addresses */
#include "commands/addresses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "binaries/elf_file.h"
#include "binaries/find.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/rows.h"
#include "commands/symbols.h"
#include "symbols/answer.h"
#include "symbols/module_names.h"
#include "symbols/worker.h"

struct addresses {
	const struct addresses_options *options;
	const char *path; /* of the file, borrowed from the options */
	struct module_address *list;
	uint32_t nr;
	size_t list_alloc;
	struct module_files files;
	struct answer answer;
};

static void release(struct addresses *addresses)
{
	free(addresses->list);
	answer_release(&addresses->answer);
}

/* ---- the list */

static struct error *take_line(struct addresses *addresses, const char *line, size_t size,
			       uint64_t number)
{
	char digits[17];
	uint64_t address;
	const char *at = line;
	size_t digits_nr;

	while (size && (line[size - 1] == '\r' || line[size - 1] == ' ' || line[size - 1] == '\t'))
		size--;
	if (!size || *line == '#')
		return NULL;
	if (addresses->nr == ADDRESSES_MAX)
		return error_new(ERROR_LIMIT, "%s: more than %u addresses",
				 addresses->options->list, ADDRESSES_MAX);
	if (size > 2 && line[0] == '0' && (line[1] == 'x' || line[1] == 'X'))
		at += 2;
	digits_nr = size - (size_t)(at - line);
	if (digits_nr >= sizeof(digits) || memchr(at, '\0', digits_nr))
		digits_nr = 0;
	snprintf(digits, sizeof(digits), "%.*s", (int)digits_nr, at);
	address = strtoull(digits, NULL, 16);
	if (!digits_nr || digits[strspn(digits, "0123456789abcdefABCDEF")])
		return error_new(ERROR_INPUT, "%s:%" PRIu64 ": '%.*s' is no hexadecimal address",
				 addresses->options->list, number, (int)(size < 40 ? size : 40),
				 line);
	GROW(addresses->list, (size_t)addresses->nr + 1, addresses->list_alloc);
	addresses->list[addresses->nr++] = (struct module_address){.offset = address};
	return NULL;
}

static struct error *read_list(struct addresses *addresses)
{
	FILE *file = strcmp(addresses->options->list, "-") == 0
			     ? stdin
			     : fopen(addresses->options->list, "re");
	struct error *err = NULL;
	char *line = NULL;
	size_t alloc = 0;
	ssize_t size;
	uint64_t number = 0;

	if (!file)
		return error_os("cannot open '%s'", addresses->options->list);
	while (!err && (size = getline(&line, &alloc, file)) >= 0) {
		if (size && line[size - 1] == '\n')
			size--;
		err = take_line(addresses, line, (size_t)size, ++number);
	}
	if (!err && ferror(file))
		err = error_os("cannot read '%s'", addresses->options->list);
	free(line);
	if (file != stdin)
		fclose(file);
	return err;
}

/* ---- the file */

/* Of "--binary lib.so" and "--binary libc.so.6=lib.so" the file. */
static const char *file_of(const char *binary)
{
	const char *equals = strchr(binary, '=');

	return equals ? equals + 1 : binary;
}

static struct error *find_files(struct addresses *addresses, struct binaries **ret_binaries,
				struct binaries_found *ret)
{
	const struct symbols_options *symbols = addresses->options->symbols;
	CLEANUP(text_release) struct text binary = TEXT_INIT;
	const char *list[1];
	struct binaries_options where = {
		.debug_dirs = symbols->debug_dirs.list,
		.debug_dirs_nr = symbols->debug_dirs.nr,
		.binaries = list,
		.binaries_nr = 1,
		.only_given = symbols->from == SYMBOLS_GIVEN,
	};
	struct elf_file elf;
	struct error *err = elf_file_open(addresses->path, &elf);

	if (err)
		return error_within(err, "%s", addresses->path);
	text_addf(&binary, "%s=%s", addresses->path, addresses->path);
	list[0] = text_string(&binary);
	err = binaries_new(&where, ret_binaries);
	if (!err)
		binaries_find(*ret_binaries,
			      &(struct binaries_wanted){
				      .path = addresses->path,
				      .build_id = *elf.build_id ? elf.build_id : NULL,
				      .id_source = *elf.build_id ? ID_MMAP2 : ID_NONE_RECORDED,
				      .map_offset = ELF_FILE_OFFSET_UNKNOWN,
			      },
			      ret);
	elf_file_close(&elf);
	return err;
}

static void name_all(void *context, uint32_t job, struct text *ret)
{
	struct addresses *addresses = context;

	(void)job;
	module_names_find(&addresses->files, addresses->list, addresses->nr, &addresses->answer);
	answer_write(&addresses->answer, ret);
	answer_release(&addresses->answer);
}

static struct error *take_result(struct addresses *addresses, const struct worker_result *result)
{
	const unsigned char *at = (const unsigned char *)text_string(&result->bytes);

	if (!result->is_done || !answer_read((struct bytes){at, at + result->bytes.size, false},
					     addresses->nr, &addresses->answer))
		return error_new(ERROR_INPUT, "'%s': the process that read it died (signal %d)",
				 addresses->path, result->signal);
	if (addresses->answer.unsupported.size)
		fprintf(stderr, "%s: note: %s\n", addresses->path,
			text_string(&addresses->answer.unsupported));
	return NULL;
}

static struct error *find_names(struct addresses *addresses)
{
	struct binaries *binaries = NULL;
	struct binaries_found found = {0};
	struct worker_result *result = mem_zalloc(1, sizeof(*result));
	struct error *err = find_files(addresses, &binaries, &found);

	if (!err) {
		addresses->files = (struct module_files){
			.file = found.file ? found.file : addresses->path,
			.debug = found.debug,
			.alt = found.alt,
			.has_vaddrs = true,
			.wants_inlined = !addresses->options->is_uninlined,
		};
		err = worker_run(1, 1, name_all, addresses, NULL, result);
	}
	if (!err)
		err = take_result(addresses, result);
	worker_results_free(result, 1);
	binaries_found_release(&found);
	binaries_free(binaries);
	return err;
}

/* ---- output */

static const char *name_or(const struct addresses *addresses, uint32_t name, const char *otherwise)
{
	return name == NAME_NONE ? otherwise : names_display(&addresses->answer.names, name);
}

static void write_json_frame(struct json *json, const struct addresses *addresses,
			     const struct answer_frame *frame)
{
	json_begin_object(json);
	json_member_string(json, "function", name_or(addresses, frame->name, ""));
	json_member_string(json, "raw_name", name_or(addresses, frame->raw_name, ""));
	json_key(json, "file");
	if (frame->file == NAME_NONE)
		json_null(json);
	else
		json_string(json, name_or(addresses, frame->file, ""));
	json_member_u64(json, "line", frame->line);
	json_key(json, "inlined");
	json_bool(json, frame->is_inlined);
	json_end_object(json);
}

static void write_json(const struct addresses *addresses, uint32_t at,
		       const struct answer_frame *frames, uint32_t nr, FILE *out)
{
	struct json json = {.out = out, .is_one_line = true};
	char address[24];

	snprintf(address, sizeof(address), "0x%" PRIx64, addresses->list[at].offset);
	json_begin_object(&json);
	json_member_string(&json, "address", address);
	json_key(&json, "frames");
	json_begin_array(&json);
	while (nr)
		write_json_frame(&json, addresses, &frames[--nr]);
	json_end_array(&json);
	json_end_object(&json);
	json_finish(&json);
}

static void write_csv(const struct addresses *addresses, uint32_t at,
		      const struct answer_frame *frames, uint32_t nr, FILE *out)
{
	if (!nr)
		fprintf(out, "0x%" PRIx64 ",0,,,0,0\n", addresses->list[at].offset);
	for (uint32_t depth = 0; nr; depth++) {
		const struct answer_frame *frame = &frames[--nr];

		fprintf(out, "0x%" PRIx64 ",%" PRIu32 ",", addresses->list[at].offset, depth);
		rows_write_csv_field(out, name_or(addresses, frame->name, ""));
		fputc(',', out);
		rows_write_csv_field(out, name_or(addresses, frame->file, ""));
		fprintf(out, ",%" PRIu32 ",%d\n", frame->line, frame->is_inlined);
	}
}

/* As addr2line -fpi: "0x1234 f at file.c:12", and who f was inlined into below it. */
static void write_text(const struct addresses *addresses, uint32_t at,
		       const struct answer_frame *frames, uint32_t nr, FILE *out)
{
	fprintf(out, "0x%" PRIx64, addresses->list[at].offset);
	if (!nr)
		fputs(" ??\n", out);
	for (bool is_first = true; nr; is_first = false) {
		const struct answer_frame *frame = &frames[--nr];

		fprintf(out, "%s%s", is_first ? " " : "  inlined into ",
			name_or(addresses, frame->name, "??"));
		if (frame->file != NAME_NONE)
			fprintf(out, " at %s:%" PRIu32, name_or(addresses, frame->file, ""),
				frame->line);
		fputc('\n', out);
	}
}

static void write_all(const struct addresses *addresses, FILE *out)
{
	const struct answer *answer = &addresses->answer;
	const struct answer_frame *frames = answer->frames;

	if (addresses->options->format == ROWS_CSV)
		fputs("address,depth,function,file,line,inlined\n", out);
	for (uint32_t i = 0; i < answer->nr; i++) {
		uint32_t nr = answer->counts[i];

		switch (addresses->options->format) {
		case ROWS_JSON:
			write_json(addresses, i, frames, nr, out);
			break;
		case ROWS_CSV:
			write_csv(addresses, i, frames, nr, out);
			break;
		default:
			write_text(addresses, i, frames, nr, out);
		}
		frames += nr;
	}
}

struct error *addresses_run(const struct addresses_options *options)
{
	CLEANUP(release) struct addresses addresses = {.options = options};
	struct output output;
	struct error *err;

	if (options->symbols->binaries.nr != 1)
		return error_new(ERROR_USAGE, "--addresses needs one --binary <file>, not %zu",
				 options->symbols->binaries.nr);
	addresses.path = file_of(options->symbols->binaries.list[0]);
	err = read_list(&addresses);
	if (!err)
		err = find_names(&addresses);
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	write_all(&addresses, output.file);
	return output_commit(&output);
}
