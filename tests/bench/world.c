/* world.c - a made-up program: its functions, their names, and who calls whom */

#include "world.h"

#include <inttypes.h>
#include <string.h>

struct module {
	const char *path;
	uint32_t functions; /* how many */
	uint64_t address;
	uint32_t across_percent; /* of its calls go to other modules: */
	enum module_id across[4];
};

/* User addresses are file offsets, as perf prints them in call chains; the others are absolute. */
static const struct module modules[MODULES] = {
	[APP] = {.path = "/opt/relay/bin/relayd",
		 .functions = 1700,
		 .address = 0x1c4e0,
		 .across_percent = 14,
		 .across = {STDCXX, ROUTE, ROUTE, JIT}},
	[STDCXX] = {.path = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
		    .functions = 300,
		    .address = 0x9b2c0,
		    .across_percent = 45,
		    .across = {APP, APP, LIBC, LIBC}},
	[ROUTE] = {.path = "/opt/relay/lib/libroute.so.2.4.0",
		   .functions = 700,
		   .address = 0x8810,
		   .across_percent = 25,
		   .across = {LIBC, LIBC, VENDOR, APP}},
	[LIBC] = {.path = "/usr/lib/x86_64-linux-gnu/libc.so.6",
		  .functions = 250,
		  .address = 0x27380,
		  .across_percent = 60,
		  .across = {APP, APP, ROUTE, STDCXX}},
	[KERNEL] = {.path = "[kernel.kallsyms]",
		    .functions = 1500,
		    .address = 0xffffffff81040000,
		    .across_percent = 10,
		    .across = {KERNEL, KERNEL, KERNEL, KERNEL}},
	[JIT] = {.path = "/tmp/perf-4210.map",
		 .functions = 200,
		 .address = 0x7f31a8400020,
		 .across_percent = 35,
		 .across = {APP, JIT, LIBC, STDCXX}},
	[VENDOR] = {.path = "/usr/lib/x86_64-linux-gnu/libvendor.so.1",
		    .functions = 60,
		    .address = 0x4f20,
		    .across_percent = 50,
		    .across = {LIBC, ROUTE, LIBC, ROUTE}},
};

/* Functions that stand at the outer end of chains; each module's first ones, in this order. */
enum {
	APP_START,
	APP_MAIN,
	APP_ENTRIES
};
enum {
	LIBC_CLONE,
	LIBC_THREAD,
	LIBC_START,
	LIBC_CALL_MAIN,
	LIBC_ENTRIES
};
enum {
	KERNEL_SYSCALL,
	KERNEL_DO_SYSCALL,
	KERNEL_FORK,
	KERNEL_KTHREAD,
	KERNEL_ENTRIES
};

static const char *const app_entries[] = {"_start", "main"};
static const char *const libc_entries[] = {
	"__clone3", "start_thread", "__libc_start_main@@GLIBC_2.34", "__libc_start_call_main"};
static const char *const kernel_entries[] = {"entry_SYSCALL_64_after_hwframe", "do_syscall_64",
					     "ret_from_fork_asm", "kthread"};

const struct thread threads[THREADS] = {
	{"relayd", 4190, 4190, ROOT_MAIN},	  {"worker-1", 4190, 4193, ROOT_THREAD},
	{"worker-2", 4190, 4194, ROOT_THREAD},	  {"worker-3", 4190, 4195, ROOT_THREAD},
	{"worker-4", 4190, 4196, ROOT_THREAD},	  {"logger", 4190, 4197, ROOT_THREAD},
	{"io thread 2", 4190, 4198, ROOT_THREAD}, {"script:host", 4210, 4210, ROOT_MAIN},
	{"script:pool", 4210, 4214, ROOT_THREAD}, {"kworker/u8:2-ev", 61, 61, ROOT_KERNEL},
	{"ksoftirqd/1", 22, 22, ROOT_KERNEL},	  {"relay-ctl", 15120, 15120, ROOT_MAIN},
};

/* ---- names */

char *text_put(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
}

static const char *const verbs[] = {
	"parse",  "read",   "write", "flush",  "lookup", "insert", "update",  "find",	  "match",
	"get",	  "put",    "alloc", "free",   "init",	 "check",  "commit",  "dispatch", "poll",
	"notify", "encode", "split", "merge",  "scan",	 "load",   "store",   "reserve",  "release",
	"queue",  "send",   "recv",  "handle", "walk",	 "resize", "compare", "validate", "wait",
};

static const char *const nouns[] = {
	"route", "table",  "queue", "record", "buffer", "page",	   "node",  "entry",
	"cache", "block",  "inode", "skb",    "sock",	"file",	   "lock",  "timer",
	"task",	 "signal", "event", "stream", "frame",	"token",   "field", "header",
	"batch", "shard",  "index", "cursor", "range",	"segment",
};

static const char *const spaces[] = {"relay", "net", "codec", "store", "base", "plan"};

static const char *const classes[] = {
	"Router", "Session", "Decoder", "Table", "Pool",  "Batch",     "Rule",	"Planner",
	"Writer", "Cursor",  "Message", "Shard", "Arena", "Scheduler", "Index", "Filter",
};

static const char *const types[] = {
	"int",
	"bool",
	"unsigned int",
	"relay::Rule const&",
	"void*",
	"unsigned long",
	"char const*",
	"std::basic_string_view<char, std::char_traits<char> >",
	"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
	"std::vector<unsigned char, std::allocator<unsigned char> >",
	"relay::Message",
	"std::shared_ptr<net::Session>",
	"std::optional<base::Span<char const> >",
	"std::chrono::duration<long, std::ratio<1l, 1000000000l> >",
};

static const char *const clones[] = {".part.0", ".isra.0", ".constprop.0", ".cold"};

static void name_c(struct chance *chance, enum module_id module, char *name, char *folded)
{
	const char *lead = module == LIBC || chance_percent(chance, 20) ? "__" : "";
	const char *noun = ANY(chance, nouns);
	const char *verb = ANY(chance, verbs);
	const char *object = ANY(chance, nouns);
	bool is_short = chance_percent(chance, 45);
	bool is_clone = module != LIBC && chance_percent(chance, 8);

	snprintf(name, NAME_MAX_LEN, "%s%s_%s%s%s%s", lead, noun, verb, is_short ? "" : "_",
		 is_short ? "" : object, is_clone ? ANY(chance, clones) : "");
	snprintf(folded, NAME_MAX_LEN, "%s", name);
}

static void name_cxx(struct chance *chance, enum module_id module, char *name, char *folded)
{
	const char *space = module == STDCXX ? "std" : ANY(chance, spaces);
	const char *class = ANY(chance, classes);
	const char *verb = ANY(chance, verbs);
	const char *noun = ANY(chance, nouns);
	char parameter[192] = "";
	char arguments[192] = "";
	char method[128];

	/* one draw a statement: C leaves open in which order arguments are evaluated */
	if (chance_percent(chance, 30)) {
		const char *key = ANY(chance, types);
		const char *value = ANY(chance, types);

		snprintf(parameter, sizeof(parameter), "<%s, %s%s>", key, value,
			 value[strlen(value) - 1] == '>' ? " " : "");
	}
	if (chance_percent(chance, 50)) {
		const char *from = ANY(chance, types);
		const char *to = ANY(chance, types);
		const char *constant = chance_percent(chance, 30) ? " const" : "";

		snprintf(arguments, sizeof(arguments), "(%s, %s)%s", from, to, constant);
	}
	if (chance_percent(chance, 8))
		snprintf(method, sizeof(method), "%s(int)::{lambda(%s)#1}::operator()", verb,
			 ANY(chance, types));
	else
		snprintf(method, sizeof(method), "%s_%s", verb, noun);
	snprintf(name, NAME_MAX_LEN, "%s::%s%s::%s%s", space, class, parameter, method, arguments);
	snprintf(folded, NAME_MAX_LEN, "%s::%s_%s", class, verb, noun);
}

static void name_jit(struct chance *chance, char *name, char *folded)
{
	const char *class = ANY(chance, classes);
	const char *verb = ANY(chance, verbs);
	const char *noun = ANY(chance, nouns);
	uint32_t line = 1 + chance_below(chance, 900);
	uint32_t column = 1 + chance_below(chance, 60);

	if (chance_percent(chance, 60)) {
		snprintf(name, NAME_MAX_LEN, "Lcom/relay/%s;::%s_%s(JLjava/lang/String;)V", class,
			 verb, noun);
		snprintf(folded, NAME_MAX_LEN, "com/relay/%s::%s_%s", class, verb, noun);
		return;
	}
	snprintf(name, NAME_MAX_LEN, "LazyCompile:*%s /opt/relay/script/%s.js:%" PRIu32 ":%" PRIu32,
		 verb, noun, line, column);
	snprintf(folded, NAME_MAX_LEN, "%s", name);
}

/* Makes a name that no function has had yet; only in VENDOR functions have none. */
static void name_make(struct chance *chance, struct set *used, struct function *function)
{
	char name[NAME_MAX_LEN], folded[NAME_MAX_LEN];

	if (function->module == VENDOR) {
		function->name = strdup("[unknown]");
		function->folded = strdup("[libvendor.so.1]");
		return;
	}
	do {
		if (function->module == JIT)
			name_jit(chance, name, folded);
		else if (function->module == APP || function->module == STDCXX)
			name_cxx(chance, function->module, name, folded);
		else
			name_c(chance, function->module, name, folded);
	} while (!set_add(used, hash_bytes(folded, strlen(folded))));
	function->name = strdup(name);
	function->folded = strdup(folded);
}

static void name_entries(struct world *world, enum module_id module, const char *const *names,
			 uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		struct function *function = &world->functions[world->first[module] + i];

		free(function->name);
		free(function->folded);
		function->name = strdup(names[i]);
		function->folded = strdup(names[i]);
		function->size_bytes = 200;
	}
}

/* ---- the world: functions, and who calls whom */

static const uint32_t entries_nr[MODULES] = {
	[APP] = APP_ENTRIES, [LIBC] = LIBC_ENTRIES, [KERNEL] = KERNEL_ENTRIES};

static unsigned hex_digits(uint64_t value)
{
	unsigned digits = 1;

	while (digits < 16 && value >> (digits * 4))
		digits++;
	return digits;
}

static char *hex_put(char *at, uint64_t value)
{
	unsigned i;

	for (i = hex_digits(value); i-- > 0;)
		*at++ = "0123456789abcdef"[(value >> (i * 4)) & 15];
	return at;
}

char *frame_put(char *at, const struct function *function, uint32_t offset)
{
	uint64_t address = function->address + offset;
	unsigned digits = hex_digits(address);

	*at++ = '\t';
	memset(at, ' ', 16 - digits);
	at = hex_put(at + 16 - digits, address);
	*at++ = ' ';
	at = text_put(at, function->name);
	if (function->module != VENDOR)
		at = hex_put(text_put(at, "+0x"), offset);
	at = text_put(at, " (");
	at = text_put(at, modules[function->module].path);
	return text_put(at, ")\n");
}

/* Callees stand near their caller, which makes families of functions that call each other. */
static uint32_t callee_near(struct chance *chance, const struct world *world, uint32_t caller)
{
	const struct module *module = &modules[world->functions[caller].module];
	uint32_t entries = entries_nr[world->functions[caller].module];
	uint32_t first = world->first[world->functions[caller].module];
	uint32_t at = caller - first + 1 + chance_below(chance, 120);

	return first + entries + at % (module->functions - entries);
}

static uint32_t callee_any(struct chance *chance, const struct world *world, enum module_id module)
{
	uint32_t entries = entries_nr[module];

	return world->first[module] + entries +
	       chance_below(chance, modules[module].functions - entries);
}

static void site_make(struct chance *chance, struct world *world, uint32_t caller, uint32_t nr)
{
	struct site *site = &world->sites[caller * SITES + nr];
	const struct function *function = &world->functions[caller];
	uint32_t offset = 5 + chance_below(chance, function->size_bytes - 5);
	char line[FRAME_MAX_LEN];

	if (nr < SITES_SAME)
		site->callee = callee_near(chance, world, caller);
	else if (nr == SITE_ACROSS)
		site->callee =
			callee_any(chance, world, ANY(chance, modules[function->module].across));
	else if (function->module == LIBC)
		site->callee = world->first[KERNEL] + KERNEL_SYSCALL;
	else
		site->callee =
			callee_any(chance, world, function->module == KERNEL ? KERNEL : LIBC);
	site->line_len = (uint32_t)(frame_put(line, function, offset) - line);
	site->line = allocate(site->line_len, 1);
	memcpy(site->line, line, site->line_len);
}

static void functions_make(struct chance *chance, struct world *world)
{
	struct set used = set_new(world->functions_nr);
	uint32_t i = 0;
	enum module_id module;

	for (module = APP; module < MODULES; module++) {
		uint64_t address = modules[module].address;

		world->first[module] = i;
		for (; i < world->first[module] + modules[module].functions; i++) {
			struct function *function = &world->functions[i];

			function->module = module;
			function->address = address;
			/* a lot of small ones, some of several kilobytes */
			function->size_bytes = 24 + chance_below(chance, 400);
			if (chance_percent(chance, 20))
				function->size_bytes *= 1 + chance_below(chance, 12);
			address += (function->size_bytes + 31) / 16 * 16;
			name_make(chance, &used, function);
		}
	}
	free(used.slots);
	name_entries(world, APP, app_entries, APP_ENTRIES);
	name_entries(world, LIBC, libc_entries, LIBC_ENTRIES);
	name_entries(world, KERNEL, kernel_entries, KERNEL_ENTRIES);
}

struct world world_make(struct chance *chance)
{
	struct world world = {0};
	uint32_t i;

	for (i = 0; i < MODULES; i++)
		world.functions_nr += modules[i].functions;
	world.functions = allocate(world.functions_nr, sizeof(*world.functions));
	world.sites = allocate((size_t)world.functions_nr * SITES, sizeof(*world.sites));
	functions_make(chance, &world);
	for (i = 0; i < world.functions_nr * SITES; i++)
		site_make(chance, &world, i / SITES, i % SITES);
	return world;
}

void world_release(struct world *world)
{
	uint32_t i;

	for (i = 0; i < world->functions_nr; i++) {
		free(world->functions[i].name);
		free(world->functions[i].folded);
	}
	for (i = 0; i < world->functions_nr * SITES; i++)
		free(world->sites[i].line);
	free(world->functions);
	free(world->sites);
}

/* ---- call chains: walks through the world */

static void chain_push(struct chain *chain, const struct world *world, uint32_t site_nr)
{
	uint32_t site = chain->leaf * SITES + site_nr;

	chain->sites[chain->nr++] = site;
	chain->leaf = world->sites[site].callee;
}

/* A call out of an outermost function: the callee is the one that is asked for. */
static void chain_enter(struct chain *chain, uint32_t callee)
{
	chain->sites[chain->nr++] = chain->leaf * SITES;
	chain->leaf = callee;
}

void chain_walk(struct chance *chance, const struct world *world, struct chain *chain,
		uint32_t frames)
{
	while (frames-- > 0) {
		enum module_id module = world->functions[chain->leaf].module;
		bool is_across = chance_percent(chance, modules[module].across_percent);

		chain_push(chain, world,
			   is_across ? SITE_ACROSS : chance_below(chance, SITES_SAME));
	}
}

/* The outermost frames, as glibc and the kernel have them. */
static void chain_root(struct chance *chance, const struct world *world, struct chain *chain)
{
	const struct thread *thread = &threads[chain->thread];
	const uint32_t app = world->first[APP];
	const uint32_t libc = world->first[LIBC];
	const uint32_t kernel = world->first[KERNEL];
	uint32_t families = 24;

	chain->nr = 0;
	switch (thread->root) {
	case ROOT_MAIN:
		chain->leaf = app + APP_START;
		chain_enter(chain, libc + LIBC_START);
		chain_enter(chain, libc + LIBC_CALL_MAIN);
		chain_enter(chain, app + APP_MAIN);
		break;
	case ROOT_THREAD:
		chain->leaf = libc + LIBC_CLONE;
		chain_enter(chain, libc + LIBC_THREAD);
		break;
	case ROOT_KERNEL:
		chain->leaf = kernel + KERNEL_FORK;
		chain_enter(chain, kernel + KERNEL_KTHREAD);
		chain_enter(chain, kernel + KERNEL_ENTRIES + chance_below(chance, families));
		return;
	}
	/* a process with a JIT calls into it early */
	if (thread->pid == 4210 && chance_percent(chance, 60))
		chain_enter(chain, world->first[JIT] + chance_below(chance, families));
	else
		chain_enter(chain, app + APP_ENTRIES + chance_below(chance, families));
}

/* How deep a chain is: 5 to 80 frames, 27 in the middle of the mass. */
static uint32_t depth_draw(struct chance *chance)
{
	uint32_t kind = chance_below(chance, 100);

	if (kind < 8)
		return 5 + chance_below(chance, 10);
	if (kind < 95)
		return 16 + chance_below(chance, 14) + chance_below(chance, 13);
	return 40 + chance_below(chance, 41);
}

void chain_draw(struct chance *chance, const struct world *world, uint32_t thread,
		struct chain *chain)
{
	uint32_t depth = depth_draw(chance);
	uint32_t kernel_frames = 0;
	uint32_t user_frames;

	chain->thread = thread;
	chain_root(chance, world, chain);
	if (threads[thread].root != ROOT_KERNEL && chance_percent(chance, 35))
		kernel_frames = 3 + chance_below(chance, 9);
	user_frames = chain->nr + kernel_frames + 4;
	user_frames = depth > user_frames ? depth - user_frames : 1;
	chain_walk(chance, world, chain, user_frames);
	if (!kernel_frames)
		return;
	if (world->functions[chain->leaf].module != LIBC)
		chain_push(chain, world, SITE_DOWN);
	chain_push(chain, world, SITE_DOWN);
	chain_enter(chain, world->first[KERNEL] + KERNEL_DO_SYSCALL);
	chain_enter(chain, callee_any(chance, world, KERNEL));
	chain_walk(chance, world, chain, kernel_frames);
}

uint64_t chain_hash(const struct chain *chain)
{
	uint64_t hash = chain->leaf;
	uint32_t i;

	for (i = 0; i < chain->nr; i++)
		hash = hash_more(hash, chain->sites[i]);
	return hash;
}
