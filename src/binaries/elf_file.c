/* elf_file.c - an ELF file is opened, mapped and closed, and its sections found */
#include "binaries/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/unpack.h"
#include "binaries/elf_file_parts.h"

/* ---- opening */

/* Most files of a folder are no ELF files: they are turned down before they are mapped. */
static struct error *check_magic(int fd)
{
	char magic[8] = "";
	ssize_t got = pread(fd, magic, sizeof(magic), 0);
	const char *packing;

	if (got < 0)
		return error_os("cannot read");
	packing = unpack_sniff(magic, (size_t)got);
	if (packing)
		return error_new(ERROR_LIMIT, "packed with %s, which is not supported here yet",
				 packing);
	if (got < (ssize_t)SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0)
		return error_new(ERROR_INPUT, "not an ELF file");
	return NULL;
}

static struct error *map_fd(int fd, struct elf_file *file)
{
	struct stat st;
	struct error *err;
	void *map;

	if (fstat(fd, &st) < 0)
		return error_os("cannot look at it");
	if (!S_ISREG(st.st_mode))
		return error_new(ERROR_INPUT, "not a regular file");
	err = check_magic(fd);
	if (err)
		return err;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return error_os("cannot map");
	file->map = map;
	file->size = (size_t)st.st_size;
	file->is_mapped = true;
	file->device = st.st_dev;
	file->inode = st.st_ino;
	return NULL;
}

static struct error *read_mapped(struct elf_file *file, struct elf_file *ret)
{
	struct error *err = elf_file_read_tables(file);

	if (err) {
		elf_file_close(file);
		return err;
	}
	elf_file_read_code(file);
	elf_file_read_identity(file);
	*ret = *file;
	return NULL;
}

struct error *elf_file_open(const char *path, struct elf_file *ret)
{
	/* a FIFO must not make us wait */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct elf_file file = {.debuglink = "", .altlink = ""};
	struct error *err;

	if (fd < 0)
		return error_os("cannot open");
	err = map_fd(fd, &file);
	close(fd);
	if (err)
		return err;
	file.path = mem_strdup(path);
	return read_mapped(&file, ret);
}

struct error *elf_file_read(const void *at, size_t size, struct elf_file *ret)
{
	struct elf_file file = {.map = at, .size = size, .debuglink = "", .altlink = ""};

	return read_mapped(&file, ret);
}

void elf_file_close(struct elf_file *file)
{
	free(file->path);
	free(file->segments);
	free(file->sections);
	free(file->code);
	if (file->is_mapped)
		munmap((void *)file->map, file->size);
	*file = (struct elf_file){0};
}

/* ---- sections */

bool elf_file_part(const struct elf_file *file, uint64_t offset, uint64_t size, struct bytes *ret)
{
	struct bytes whole = {file->map, file->map + file->size, file->is_swapped};

	return bytes_skip(&whole, offset) && bytes_part(&whole, size, ret);
}

const struct elf_section *elf_file_section(const struct elf_file *file, const char *name)
{
	for (uint32_t i = 0; i < file->sections_nr; i++)
		if (strcmp(file->sections[i].name, name) == 0)
			return &file->sections[i];
	return NULL;
}

const unsigned char *elf_file_section_bytes(const struct elf_file *file,
					    const struct elf_section *section)
{
	struct bytes part;

	if (section->type == SHT_NOBITS || section->type == SHT_NULL ||
	    !elf_file_part(file, section->offset, section->size, &part))
		return NULL;
	return part.at;
}

static bool has_bytes(const struct elf_file *file, const char *name)
{
	const struct elf_section *section = elf_file_section(file, name);

	return section && section->size && elf_file_section_bytes(file, section);
}

bool elf_file_has_dwarf(const struct elf_file *file)
{
	return has_bytes(file, ".debug_info") || has_bytes(file, ".zdebug_info");
}

bool elf_file_has_symtab(const struct elf_file *file)
{
	return has_bytes(file, ".symtab");
}

bool elf_file_is_code(const struct elf_section *section)
{
	const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

	return (section->flags & code) == code;
}

bool elf_file_is_debug_only(const struct elf_file *file)
{
	return file->is_debug_only;
}

void elf_file_digest(const struct elf_file *file, char ret[static DIGEST_HEX_SIZE])
{
	struct digest *digest = digest_new();

	digest_add(digest, file->map, file->size);
	digest_hex(digest, ret);
	digest_free(digest);
}
