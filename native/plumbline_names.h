/* Different texts of a buffer, numbered in order of appearance. */

#ifndef PLUMBLINE_NAMES_H
#define PLUMBLINE_NAMES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t start, length;
    uint64_t hash;
} Name;

typedef struct {
    Name *list;      /* in order of appearance */
    int32_t *table;  /* open addressing; -1 is free */
    size_t count, size;
} Names;

enum { READ, ODD, NO_MEMORY };

/* How far from its place a text is looked for. By chance it takes a few dozen steps; texts that were made to collide would
   take as many as there are texts, so they are left to readers whose hashes nobody can foresee. */
enum { MOST_STEPS = 4096 };

static inline uint64_t mixed(uint64_t h) {
    h ^= h >> 32;
    h *= UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static inline uint64_t hash_of(const char *text, size_t length) {
    uint64_t h = length * UINT64_C(0xD6E8FEB86659FD93), word;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&word, text, 8);
        h = mixed(h ^ word);
    }
    if (length) {
        word = 0;
        memcpy(&word, text, length);
        h = mixed(h ^ word);
    }
    return mixed(h);
}

static inline int grow_names(Names *names) {
    size_t size = names->size ? names->size * 2 : 64;
    Name *list = realloc(names->list, size / 2 * sizeof *list);
    if (!list) return NO_MEMORY;
    names->list = list;
    int32_t *table = malloc(size * sizeof *table);
    if (!table) return NO_MEMORY;
    memset(table, 0xff, size * sizeof *table);
    for (size_t one = 0; one < names->count; one++) {
        size_t place = names->list[one].hash & (size - 1);
        while (table[place] >= 0) place = (place + 1) & (size - 1);
        table[place] = (int32_t)one;
    }
    free(names->table);
    names->table = table;
    names->size = size;
    return READ;
}

/* The number of a text whose hash is known; a new one is added. Odd if that takes too many steps. */
static inline int code_of(Names *names, const char *data, size_t start, size_t length, uint64_t hash, int32_t *code) {
    if (names->count + 1 > names->size / 2 && grow_names(names) != READ) return NO_MEMORY;
    size_t place = hash & (names->size - 1);
    for (int steps = 0; names->table[place] >= 0; place = (place + 1) & (names->size - 1)) {
        if (++steps > MOST_STEPS) return ODD;
        const Name *known = &names->list[names->table[place]];
        if (known->hash == hash && known->length == length && !memcmp(data + known->start, data + start, length)) {
            *code = names->table[place];
            return READ;
        }
    }
    names->list[names->count] = (Name){(uint32_t)start, (uint32_t)length, hash};
    *code = names->table[place] = (int32_t)names->count++;
    return READ;
}

static inline void free_names(Names *names) {
    free(names->list);
    free(names->table);
}

#endif
