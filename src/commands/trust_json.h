/* trust_json.h - how far the names in a result are shown to be right, as JSON */
#pragma once

struct json;
struct profile;

/* Writes the member "names": the weight whose leaf is named, and that of each module status. */
void trust_json_write(const struct profile *profile, struct json *json);
