/* Where a text has blanks: bytes up to the space, found sixty-four at a time, since most bytes are none. */

#ifndef PLUMBLINE_BLANKS_H
#define PLUMBLINE_BLANKS_H

#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define PLUMBLINE_SSE2
#endif
#ifdef _MSC_VER
#include <intrin.h>
#endif

typedef struct {
    const char *data;
    size_t stop;    /* where the text ends, which counts as a blank */
    size_t base;    /* the place of the first bit of the mask */
    uint64_t mask;  /* blanks that nobody asked for yet */
    uint64_t high;  /* not 0 if some byte so far is beyond ASCII */
} Blanks;

static inline int lowest_bit(uint64_t mask) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(mask);
#elif defined(_M_X64) || defined(_M_ARM64)
    unsigned long at;
    _BitScanForward64(&at, mask);
    return (int)at;
#else
    int at = 0;
    while (!(mask >> at & 1)) at++;
    return at;
#endif
}

/* The blanks of the next bytes, of which there are fewer than sixty-four at the end. */
static inline void look_at_bytes(Blanks *blanks) {
    const unsigned char *bytes = (const unsigned char *)blanks->data + blanks->base;
    uint64_t mask = 0;
    if (blanks->stop - blanks->base >= 64) {
#ifdef PLUMBLINE_SSE2
        const __m128i space = _mm_set1_epi8(' ');
        for (int part = 0; part < 4; part++) {
            __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * part));
            uint64_t low = (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(some, space), some));
            mask |= low << 16 * part;
            blanks->high |= (uint64_t)(uint32_t)_mm_movemask_epi8(some);
        }
#else
        unsigned char every = 0;
        for (int at = 0; at < 64; at++) {
            mask |= (uint64_t)(bytes[at] <= ' ') << at;
            every |= bytes[at];
        }
        blanks->high |= every & 0x80;
#endif
    } else {
        size_t count = blanks->stop - blanks->base;
        for (size_t at = 0; at < count; at++) {
            mask |= (uint64_t)(bytes[at] <= ' ') << at;
            blanks->high |= bytes[at] & 0x80;
        }
        mask |= UINT64_C(1) << count;
    }
    blanks->mask = mask;
}

static inline Blanks blanks_of(const char *data, size_t begin, size_t stop) {
    Blanks blanks = {data, stop, begin, 0, 0};
    look_at_bytes(&blanks);
    return blanks;
}

/* The place of the next blank; after the end of the text nobody may ask. */
static inline size_t next_blank(Blanks *blanks) {
    while (!blanks->mask) {
        blanks->base += 64;
        look_at_bytes(blanks);
    }
    size_t place = blanks->base + (size_t)lowest_bit(blanks->mask);
    blanks->mask &= blanks->mask - 1;
    return place;
}

#endif
