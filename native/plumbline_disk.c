/* Ids of a file that stays on the disk are compared with ids in memory; most of the file is never read again. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#define _FILE_OFFSET_BITS 64
#include "plumbline_parts.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/types.h>
#include <unistd.h>
#endif

enum { WINDOW = 1 << 16, ONE_ID = 1 << 9, NEAR = 1 << 11 };
enum { ALL_EQUAL = 1, SOME_DIFFER = 0, UNREADABLE = -1 };

static int is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\n'; }

#ifndef _WIN32
/* An id ends with a blank or its text; the other one is as long if a blank, or the end, follows the same bytes. */
static int compare(int file, size_t size, const uint32_t *starts, const char *text, size_t length, const uint32_t *others, size_t count) {
    char *window = malloc(WINDOW);
    size_t first = 0, held = 0;
    int outcome = window ? ALL_EQUAL : UNREADABLE;
    size_t portion = count && (starts[count - 1] - (size_t)starts[0]) / count < NEAR ? WINDOW : ONE_ID;
    for (size_t row = 0; row < count && outcome == ALL_EQUAL; row++) {
        size_t from = others[row], to = from, start = starts[row];
        while (to < length && !is_blank(text[to])) to++;
        size_t wanted = to - from + 1, left = start < size ? size - start : 0;
        if (wanted > left) wanted = left;
        if (start < first || start + wanted > first + held) {
            size_t most = portion > wanted ? portion : wanted;
            ssize_t got = wanted <= WINDOW ? pread(file, window, most < left ? most : left, (off_t)start) : -1;
            first = start, held = got > 0 ? (size_t)got : 0;
            if (wanted > held) outcome = UNREADABLE;
        }
        const char *id = window + (start - first);
        if (outcome == ALL_EQUAL && (wanted < to - from || memcmp(id, text + from, to - from) ||
                                     (wanted > to - from && !is_blank(id[to - from]))))
            outcome = SOME_DIFFER;
    }
    free(window);
    return outcome;
}
#endif

PyObject *equal_on_disk(PyObject *module, PyObject *args) {
    PyObject *objects[3];
    Py_buffer starts, text, others;
    int file, outcome = UNREADABLE;
    Py_ssize_t size;
    (void)module;
    if (!PyArg_ParseTuple(args, "inOOO", &file, &size, &objects[0], &objects[1], &objects[2])) return NULL;
    if (buffer_of(objects[0], &starts, PyBUF_SIMPLE, 0, "starts") < 0) return NULL;
    if (buffer_of(objects[1], &text, PyBUF_SIMPLE, 0, "text") == 0) {
        if (buffer_of(objects[2], &others, PyBUF_SIMPLE, (size_t)starts.len, "others") == 0) {
#ifndef _WIN32
            size_t count = (size_t)starts.len / sizeof(uint32_t);
            Py_BEGIN_ALLOW_THREADS outcome = compare(file, (size_t)size, starts.buf, text.buf, (size_t)text.len, others.buf, count);
            Py_END_ALLOW_THREADS
#endif
            PyBuffer_Release(&others);
        }
        PyBuffer_Release(&text);
    }
    PyBuffer_Release(&starts);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(outcome);
}
