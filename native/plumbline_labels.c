/* Reads tables of labels: cases, items and labels between tabs or commas.

   As in plumbline_core.c, nothing here reports an error about data: whatever is unusual is left to Python. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include "plumbline_blanks.h"
#include "plumbline_parts.h"

typedef struct {
    const char *data;
    size_t stop; /* where the text ends, which counts as a mark */
    char separator;
    size_t base;    /* the place of the first bit of the mask */
    uint64_t mask;  /* marks that nobody asked for yet */
    uint64_t high;  /* not 0 if some byte so far is beyond ASCII */
} Marks;

typedef struct {
    Marks marks;
    size_t begin, room, rows;
    int width, case_column, item_column, label_column;
    int32_t *case_codes, *label_codes;
    uint32_t *starts;
    uint64_t *hashes;
    Names cases, labels;
} Table;

/* A byte that separates columns or lines, or is unusual: a quote or a control character. */
static inline int is_mark(unsigned char byte, char separator) { return byte < ' ' || byte == '"' || (char)byte == separator; }

static inline void look_for_marks(Marks *marks) {
    const unsigned char *bytes = (const unsigned char *)marks->data + marks->base;
    uint64_t mask = 0;
    if (marks->stop - marks->base >= 64) {
#ifdef PLUMBLINE_SSE2
        const __m128i control = _mm_set1_epi8(' ' - 1), quote = _mm_set1_epi8('"'), separator = _mm_set1_epi8(marks->separator);
        for (int part = 0; part < 4; part++) {
            __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * part));
            __m128i any = _mm_cmpeq_epi8(_mm_min_epu8(some, control), some);
            any = _mm_or_si128(any, _mm_or_si128(_mm_cmpeq_epi8(some, quote), _mm_cmpeq_epi8(some, separator)));
            mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(any) << 16 * part;
            marks->high |= (uint64_t)(uint32_t)_mm_movemask_epi8(some);
        }
#else
        for (int at = 0; at < 64; at++) {
            mask |= (uint64_t)is_mark(bytes[at], marks->separator) << at;
            marks->high |= bytes[at] & 0x80;
        }
#endif
    } else {
        size_t count = marks->stop - marks->base;
        for (size_t at = 0; at < count; at++) {
            mask |= (uint64_t)is_mark(bytes[at], marks->separator) << at;
            marks->high |= bytes[at] & 0x80;
        }
        mask |= UINT64_C(1) << count;
    }
    marks->mask = mask;
}

/* The place of the next mark; after the end of the text nobody may ask. */
static inline size_t next_mark(Marks *marks) {
    while (!marks->mask) {
        marks->base += 64;
        look_for_marks(marks);
    }
    size_t place = marks->base + (size_t)lowest_bit(marks->mask);
    marks->mask &= marks->mask - 1;
    return place;
}

/* The number of a text that is often the one before it. */
static inline int number_of(Names *names, const char *data, size_t start, size_t length, int32_t *code) {
    if (names->count) {
        const Name *before = &names->list[*code];
        if (before->length == length && !memcmp(data + before->start, data + start, length)) return READ;
    }
    return code_of(names, data, start, length, hash_of(data + start, length), code);
}

/* Every line has all columns, none of them is empty, and there are no quotes, control characters, comments and blank lines. */
static int read_table(Table *table) {
    Marks *marks = &table->marks;
    const char *data = marks->data;
    int32_t of_case = 0, of_label = 0;
    size_t start = table->begin;
    look_for_marks(marks);
    for (; start < marks->stop; table->rows++) {
        size_t row = table->rows;
        if (row == table->room || data[start] == '#') return ODD;
        for (int column = 0; column < table->width; column++) {
            size_t end = next_mark(marks), length = end - start;
            char mark = end < marks->stop ? data[end] : '\n';
            if (!length || mark != (column + 1 < table->width ? marks->separator : '\n')) return ODD;
            if (column == table->item_column) {
                table->starts[row] = (uint32_t)start;
                table->hashes[row] = hash_of(data + start, length);
            } else if (column == table->case_column || column == table->label_column) {
                int is_case = column == table->case_column;
                int done = number_of(is_case ? &table->cases : &table->labels, data, start, length, is_case ? &of_case : &of_label);
                if (done != READ) return done;
            }
            start = end + 1;
        }
        table->case_codes[row] = of_case;
        table->label_codes[row] = of_label;
    }
    return READ;
}

static PyObject *result_of(const Table *table) {
    PyObject *cases = list_of_names(&table->cases, table->marks.data);
    PyObject *labels = cases ? list_of_names(&table->labels, table->marks.data) : NULL;
    if (labels) return Py_BuildValue("nNNi", (Py_ssize_t)table->rows, cases, labels, table->marks.high == 0);
    Py_XDECREF(cases);
    if (PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) PyErr_Clear();
    return NULL;
}

PyObject *scan_labels(PyObject *module, PyObject *args) {
    enum { ARRAYS = 4 };
    static const size_t SIZES[ARRAYS] = {sizeof(int32_t), sizeof(int32_t), sizeof(uint32_t), sizeof(uint64_t)};
    PyObject *data, *into[ARRAYS], *result = NULL;
    Py_buffer text, views[ARRAYS];
    Py_ssize_t begin, room;
    int separator, held = 0, done = ODD;
    Table table = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OnC(iiii)n(OOOO)", &data, &begin, &separator, &table.width, &table.case_column,
                          &table.item_column, &table.label_column, &room, &into[0], &into[1], &into[2], &into[3]))
        return NULL;
    if (buffer_of(data, &text, PyBUF_SIMPLE, 0, "data") < 0) return NULL;
    if (begin < 0 || begin > text.len || (uint64_t)text.len > UINT32_MAX || room < 0 || room > INT32_MAX ||
        (separator != '\t' && separator != ',')) {
        PyErr_SetString(PyExc_ValueError, "lines or separator are out of range");
        PyBuffer_Release(&text);
        return NULL;
    }
    while (held < ARRAYS && buffer_of(into[held], &views[held], PyBUF_WRITABLE, (size_t)room * SIZES[held], "an array") == 0) held++;
    if (held == ARRAYS) {
        table.marks = (Marks){text.buf, (size_t)text.len, (char)separator, (size_t)begin, 0, 0};
        table.begin = (size_t)begin, table.room = (size_t)room;
        table.case_codes = views[0].buf, table.label_codes = views[1].buf;
        table.starts = views[2].buf, table.hashes = views[3].buf;
        Py_BEGIN_ALLOW_THREADS done = read_table(&table);
        Py_END_ALLOW_THREADS if (done == NO_MEMORY) PyErr_NoMemory();
        else if (done == READ) result = result_of(&table);
        if (!result && !PyErr_Occurred()) result = Py_NewRef(Py_None);
    }
    free_names(&table.cases);
    free_names(&table.labels);
    while (held > 0) PyBuffer_Release(&views[--held]);
    PyBuffer_Release(&text);
    return result;
}

/* Columns of a text: where each value starts; it ends with a separator, a line end or the text. */
typedef struct {
    const char *data;
    size_t size;
    const uint32_t *starts;
    char separator;
} Column;

static inline int ends_at(const Column *column, size_t at) {
    return at >= column->size || column->data[at] == column->separator || column->data[at] == '\n';
}

/* Whether one of eight bytes is this one (a well-known trick: only a byte that was 0 borrows from its highest bit). */
static inline int holds(uint64_t word, char byte) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t zero_there = word ^ ones * (unsigned char)byte;
    return ((zero_there - ones) & ~zero_there & (ones << 7)) != 0;
}

static inline int same_value(const Column *one, size_t at, const Column *other, size_t place) {
    uint64_t word, beside;
    for (; at + 8 <= one->size && place + 8 <= other->size; at += 8, place += 8) {
        memcpy(&word, one->data + at, 8);
        memcpy(&beside, other->data + place, 8);
        if (word != beside || holds(word, '\n') || holds(word, one->separator) || holds(word, other->separator)) break;
    }
    while (!ends_at(one, at) && !ends_at(other, place) && one->data[at] == other->data[place]) at++, place++;
    return ends_at(one, at) && ends_at(other, place);
}

/* Values of shuffled rows are fetched before they are needed: waiting for memory takes longer than comparing. */
static inline void fetch(const Column *column, size_t row) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(column->data + column->starts[row]);
#else
    (void)column, (void)row;
#endif
}

static int are_equal(const Column *one, const Column *other, size_t rows) {
    enum { AHEAD = 16 };
    for (size_t row = 0; row < rows; row++) {
        if (row + AHEAD < rows) fetch(one, row + AHEAD), fetch(other, row + AHEAD);
        if (!same_value(one, one->starts[row], other, other->starts[row])) return 0;
    }
    return 1;
}

PyObject *equal_columns(PyObject *module, PyObject *args) {
    enum { VIEWS = 4 };
    PyObject *objects[VIEWS];
    Py_buffer views[VIEWS];
    int separators[2], held = 0, equal = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "(OOC)(OOC)", &objects[0], &objects[1], &separators[0], &objects[2], &objects[3], &separators[1]))
        return NULL;
    for (; held < VIEWS; held++)
        if (buffer_of(objects[held], &views[held], PyBUF_SIMPLE, held == 3 ? (size_t)views[1].len : 0, "starts") < 0) break;
    if (held == VIEWS) {
        const Column one = {views[0].buf, (size_t)views[0].len, views[1].buf, (char)separators[0]};
        const Column other = {views[2].buf, (size_t)views[2].len, views[3].buf, (char)separators[1]};
        Py_BEGIN_ALLOW_THREADS equal = are_equal(&one, &other, (size_t)views[1].len / sizeof(uint32_t));
        Py_END_ALLOW_THREADS
    }
    while (held > 0) PyBuffer_Release(&views[--held]);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(equal);
}
