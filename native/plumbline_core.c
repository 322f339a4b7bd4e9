/* Reads TREC runs and judgements about which there is nothing to tell, and finds the judged items of a run.

   Buffers in, buffers out; the interpreter is let go meanwhile. Nothing here reports an error about data: a text with anything
   odd in it (a comment, another number of columns, a control character, a number that is none) is left to the readers in
   Python, which know how to say what is wrong and where. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include "plumbline_blanks.h"
#include "plumbline_parts.h"

typedef struct {
    Py_ssize_t row, start, length;
} Slow;

typedef struct {
    const char *data;
    size_t begin, stop;                  /* the lines to read */
    int width, second, item, number, rank, tag;  /* columns; -1 for none */
    size_t head;                         /* where the first lines end, whose ranks are always compared */
    size_t room;                         /* rows that fit */
    int32_t *codes;
    double *values;
    uint32_t *starts;
    uint64_t *hashes;
    size_t rows;
    Names cases;
    uint32_t tag_start, tag_length, second_start, second_length;
    int one_tag, one_second, ascii;
    double *ranks;                       /* where there are any */
    int rises;                           /* whether some score is higher than the one before: all further ranks are read */
    size_t head_rows, late, pairs, first_pair;  /* ranks of rows from the head up to `late` are read if somebody wants them */
    Slow *slow;                          /* numbers with too many digits for the quick way */
    size_t slow_count, slow_room;
} Scan;

enum { MOST_COLUMNS = 6 };

static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The exact value where digits and exponent are small enough that one rounding is made (Clinger); 0 if not, -1 if it is odd. */
static int quick_number(const char *text, size_t length, double *value) {
    const char *end = text + length;
    uint64_t digits = 0;
    int negative = 0, count = 0, after = 0, seen = 0, exponent = 0;
    if (text < end && (*text == '-' || *text == '+')) negative = *text++ == '-';
    for (; text < end && *text >= '0' && *text <= '9'; text++, seen = 1) {
        digits = digits * 10 + (uint64_t)(*text - '0');
        if (digits && ++count > 18) return 0;
    }
    if (text < end && *text == '.')
        for (text++; text < end && *text >= '0' && *text <= '9'; text++, seen = 1, after++) {
            digits = digits * 10 + (uint64_t)(*text - '0');
            if ((digits && ++count > 18) || after > 300) return 0;
        }
    if (!seen) return -1;
    if (text < end && (*text == 'e' || *text == 'E')) {
        int minus = 0, some = 0;
        text++;
        if (text < end && (*text == '-' || *text == '+')) minus = *text++ == '-';
        for (; text < end && *text >= '0' && *text <= '9'; text++, some = 1)
            if (exponent < 10000) exponent = exponent * 10 + (*text - '0');
        if (!some) return -1;
        if (minus) exponent = -exponent;
    }
    if (text != end) return -1;
    exponent -= after;
    if (digits > (UINT64_C(1) << 53) || exponent < -22 || exponent > 22) {
        if (digits) return 0;
        exponent = 0;
    }
    *value = exponent < 0 ? (double)digits / TENS[-exponent] : (double)digits * TENS[exponent];
    if (negative) *value = -*value;
    return 1;
}

static int set_aside(Scan *scan, size_t row, size_t start, size_t length) {
    if (scan->slow_count == scan->slow_room) {
        size_t room = scan->slow_room ? scan->slow_room * 2 : 64;
        Slow *slow = realloc(scan->slow, room * sizeof *slow);
        if (!slow) return NO_MEMORY;
        scan->slow = slow;
        scan->slow_room = room;
    }
    scan->slow[scan->slow_count++] = (Slow){(Py_ssize_t)row, (Py_ssize_t)start, (Py_ssize_t)length};
    return READ;
}

/* Texts are short: two words that may overlap say more quickly than a call whether they are equal. */
static inline int same_text(const char *data, size_t one, size_t other, size_t length) {
    uint64_t a, b, c, d;
    if (length > 16) return !memcmp(data + one, data + other, length);
    if (length >= 8) {
        memcpy(&a, data + one, 8), memcpy(&b, data + other, 8);
        memcpy(&c, data + one + length - 8, 8), memcpy(&d, data + other + length - 8, 8);
        return !((a ^ b) | (c ^ d));
    }
    for (size_t at = 0; at < length; at++)
        if (data[one + at] != data[other + at]) return 0;
    return 1;
}

/* The hash of an id. Its last eight bytes are read as one word, also those that were read before: a word that is put together
   from single bytes has to wait until the last of them is stored. */
static inline uint64_t hash_of_id(const char *text, size_t length) {
    uint64_t h = length * UINT64_C(0xD6E8FEB86659FD93), word = 0;
    if (length >= sizeof word) {
        const char *last = text + length - sizeof word;
        for (; text < last; text += sizeof word) {
            memcpy(&word, text, sizeof word);
            h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
            h ^= h >> 29;
        }
        memcpy(&word, last, sizeof word);
    } else if (length >= sizeof(uint32_t)) {
        uint32_t first, last;
        memcpy(&first, text, sizeof first), memcpy(&last, text + length - sizeof last, sizeof last);
        word = (uint64_t)first << 32 | last;
    } else if (length)
        word = (uint64_t)(unsigned char)text[0] << 16 | (uint64_t)(unsigned char)text[length / 2] << 8 | (unsigned char)text[length - 1];
    return mixed(h ^ word);
}

/* One line whose columns are known. */
static int take_line(Scan *scan, const uint32_t *start, const uint32_t *length, int32_t *code) {
    const char *data = scan->data;
    size_t row = scan->rows;
    if (row >= scan->room || data[start[0]] == '#') return ODD;
    const Name *before = row ? &scan->cases.list[*code] : NULL;
    int same = before && before->length == length[0] && same_text(data, before->start, start[0], length[0]);
    int done = same ? READ : code_of(&scan->cases, data, start[0], length[0], hash_of_id(data + start[0], length[0]), code);
    if (done != READ) return done;
    double value = 0.0;
    int kind = quick_number(data + start[scan->number], length[scan->number], &value);
    if (kind < 0) return ODD;
    if (kind == 0 && set_aside(scan, row, start[scan->number], length[scan->number]) != READ) return NO_MEMORY;
    if (scan->rank >= 0) {
        int in_head = start[0] < scan->head;
        scan->rises |= kind > 0 && same && value > scan->values[row - 1];
        if ((in_head || scan->rises) && quick_number(data + start[scan->rank], length[scan->rank], &scan->ranks[row]) <= 0)
            return ODD;
        if (in_head) scan->head_rows = row + 1;
        if (!scan->rises) scan->late = row + 1;
    }
    if (scan->tag >= 0) {
        uint32_t at = start[scan->tag], size = length[scan->tag];
        if (!row) scan->tag_start = at, scan->tag_length = size;
        else if (size != scan->tag_length || !same_text(data, at, scan->tag_start, size)) scan->one_tag = 0;
    }
    uint32_t at = start[scan->second], size = length[scan->second];
    if (!row) scan->second_start = at, scan->second_length = size;
    else if (size != scan->second_length || !same_text(data, at, scan->second_start, size)) scan->one_second = 0;
    scan->codes[row] = *code;
    scan->values[row] = value;
    scan->starts[row] = start[scan->item];
    scan->hashes[row] = hash_of_id(data + start[scan->item], length[scan->item]);
    scan->rows++;
    return READ;
}

static int scan_lines(Scan *scan) {
    const char *data = scan->data;
    Blanks blanks = blanks_of(data, scan->begin, scan->stop);
    uint32_t start[MOST_COLUMNS], length[MOST_COLUMNS];
    size_t from = scan->begin, place;
    int32_t code = 0;
    int columns = 0;
    do {
        place = next_blank(&blanks);
        char blank = place < scan->stop ? data[place] : '\n';
        if (place > from) {
            if (columns == scan->width) return ODD;
            start[columns] = (uint32_t)from;
            length[columns++] = (uint32_t)(place - from);
        }
        from = place + 1;
        if (blank == '\n') {
            if (columns && columns != scan->width) return ODD;
            int done = columns ? take_line(scan, start, length, &code) : READ;
            if (done != READ) return done;
            columns = 0;
        } else if (blank != ' ' && blank != '\t') return ODD;
    } while (place < scan->stop);
    scan->ascii = !blanks.high;
    return READ;
}

static PyObject *text_of(const Scan *scan, uint32_t start, uint32_t length) {
    return PyUnicode_DecodeUTF8(scan->data + start, (Py_ssize_t)length, "strict");
}

/* Numbers that were set aside, as CPython reads them; -1 with or without an error. */
static int read_slowly(Scan *scan) {
    for (size_t one = 0; one < scan->slow_count; one++) {
        Slow slow = scan->slow[one];
        char *copy = malloc((size_t)slow.length + 1);
        if (!copy) {
            PyErr_NoMemory();
            return -1;
        }
        memcpy(copy, scan->data + slow.start, (size_t)slow.length);
        copy[slow.length] = 0;
        double value = PyOS_string_to_double(copy, NULL, NULL);
        free(copy);
        if (value == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return -1;
        }
        if (!(value - value == 0.0)) return -1; /* not finite */
        scan->values[slow.row] = value;
    }
    return 0;
}

/* The ranks behind the first lines that nobody wanted while the lines were read, each in the column behind its item. */
static int read_late_ranks(Scan *scan) {
    const char *data = scan->data;
    for (size_t row = scan->head_rows; row < scan->late; row++) {
        Blanks blanks = blanks_of(data, scan->starts[row], scan->stop);
        size_t from = next_blank(&blanks), to;
        while ((to = next_blank(&blanks)) == from + 1) from = to;
        if (quick_number(data + from + 1, to - from - 1, &scan->ranks[row]) <= 0) return -1;
    }
    return 0;
}

/* Neighbours of a case whose ranks contradict their scores: in all lines if a score rises somewhere, else in the first ones;
   -1 if a rank is odd. */
static int compare_ranks(Scan *scan) {
    size_t rows = scan->head_rows;
    for (size_t row = 1; row < scan->rows && rows < scan->rows; row++)
        if (scan->codes[row] == scan->codes[row - 1] && scan->values[row] > scan->values[row - 1]) rows = scan->rows;
    if (rows > scan->head_rows && read_late_ranks(scan) < 0) return -1;
    for (size_t row = 1; row < rows; row++) {
        double rank = scan->ranks[row], before = scan->ranks[row - 1], score = scan->values[row], last = scan->values[row - 1];
        int contradict = (rank < before && score < last) || (rank > before && score > last);
        if (contradict && scan->codes[row] == scan->codes[row - 1] && !scan->pairs++) scan->first_pair = row - 1;
    }
    return 0;
}

static PyObject *found_of(const Scan *scan) {
    PyObject *names = list_of_names(&scan->cases, scan->data);
    if (!names) return NULL;
    PyObject *tag = scan->tag >= 0 && scan->rows ? text_of(scan, scan->tag_start, scan->tag_length) : PyUnicode_FromString("");
    PyObject *second = NULL; /* nothing is decoded once something has failed */
    if (tag) second = scan->rows ? text_of(scan, scan->second_start, scan->second_length) : PyUnicode_FromString("");
    if (!second) {
        Py_XDECREF(tag);
        Py_DECREF(names);
        return NULL;
    }
    return Py_BuildValue("nNNNiiinn", (Py_ssize_t)scan->rows, names, tag, second, scan->one_tag, scan->one_second, scan->ascii,
                         (Py_ssize_t)scan->pairs, (Py_ssize_t)scan->first_pair);
}

PyDoc_STRVAR(scan_doc,
             "scan(data, begin, stop, head, columns, room, codes, values, starts, hashes)\n--\n\n"
             "Read some lines into arrays with room for so many rows; None if there is anything odd in them.\n\n"
             "columns: how many there are, then the places of second, item, number, rank and tag, -1 for none.\n"
             "Returns rows, names of cases, tag, second, whether there is one tag, one second, ASCII alone, and how many ranks\n"
             "contradict scores with the first row of those.");

static PyObject *scan_text(PyObject *module, PyObject *args) {
    PyObject *objects[5];
    Py_buffer views[5];
    Py_ssize_t begin, stop, head, room;
    Scan scan = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "Onnn(iiiiii)nOOOO", &objects[0], &begin, &stop, &head, &scan.width, &scan.second, &scan.item,
                          &scan.number, &scan.rank, &scan.tag, &room, &objects[1], &objects[2], &objects[3], &objects[4]))
        return NULL;
    if (begin < 0 || stop < begin || room < 0 || room > INT32_MAX || (uint64_t)stop > UINT32_MAX || scan.width < 1 || scan.width > MOST_COLUMNS ||
        scan.second < 0 || scan.second >= scan.width || scan.item < 0 || scan.item >= scan.width || scan.number < 0 ||
        scan.number >= scan.width || scan.tag >= scan.width || (scan.rank >= 0 && scan.rank != scan.item + 1) ||
        scan.rank >= scan.width) {
        PyErr_SetString(PyExc_ValueError, "lines or columns are out of range");
        return NULL;
    }
    static const size_t SIZES[] = {1, sizeof(int32_t), sizeof(double), sizeof(uint32_t), sizeof(uint64_t)};
    static const char *const WHAT[] = {"data", "codes", "values", "starts", "hashes"};
    int held = 0;
    for (; held < 5; held++)
        if (buffer_of(objects[held], &views[held], held ? PyBUF_WRITABLE : PyBUF_SIMPLE,
                      (held ? (size_t)room : (size_t)stop) * SIZES[held], WHAT[held]) < 0)
            break;
    PyObject *result = NULL;
    if (held == 5) {
        scan.data = views[0].buf, scan.begin = (size_t)begin, scan.stop = (size_t)stop, scan.head = (size_t)head;
        scan.room = (size_t)room, scan.codes = views[1].buf, scan.values = views[2].buf, scan.starts = views[3].buf;
        scan.hashes = views[4].buf, scan.one_tag = scan.one_second = 1;
        int done = READ;
        if (scan.rank >= 0 && !(scan.ranks = malloc((scan.room + 1) * sizeof *scan.ranks))) done = NO_MEMORY;
        Py_BEGIN_ALLOW_THREADS if (done == READ) done = scan_lines(&scan);
        Py_END_ALLOW_THREADS if (done == NO_MEMORY) PyErr_NoMemory();
        else if (done == READ && read_slowly(&scan) == 0 && (scan.rank < 0 || compare_ranks(&scan) == 0)) result = found_of(&scan);
        if (!result && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) PyErr_Clear();
        if (!result && !PyErr_Occurred()) result = Py_NewRef(Py_None);
    }
    while (held > 0) PyBuffer_Release(&views[--held]);
    free_names(&scan.cases);
    free(scan.slow);
    free(scan.ranks);
    return result;
}

PyDoc_STRVAR(breaks_doc, "breaks(data, begin, stop)\n--\n\nHow many line feeds there are between two places.");

static PyObject *breaks(PyObject *module, PyObject *args) {
    enum { STRETCH = 128 }; /* so many fit into a counter of one byte, of which the compiler makes vectors */
    PyObject *data;
    Py_buffer view;
    Py_ssize_t begin, stop;
    size_t count = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "Onn", &data, &begin, &stop)) return NULL;
    if (begin < 0 || stop < begin) {
        PyErr_SetString(PyExc_ValueError, "places are out of range");
        return NULL;
    }
    if (buffer_of(data, &view, PyBUF_SIMPLE, (size_t)stop, "data") < 0) return NULL;
    const char *text = view.buf;
    size_t at = (size_t)begin;
    Py_BEGIN_ALLOW_THREADS for (; at + STRETCH <= (size_t)stop; at += STRETCH) {
        unsigned char some = 0;
        for (size_t place = at; place < at + STRETCH; place++) some = (unsigned char)(some + (text[place] == '\n'));
        count += some;
    }
    for (; at < (size_t)stop; at++) count += text[at] == '\n';
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
    return PyLong_FromSize_t(count);
}

static size_t table_size(size_t rows) {
    size_t size = 16;
    while (size < rows * 2) size *= 2;
    return size;
}

static inline uint64_t pair_key(int32_t code, uint64_t hash) {
    return mixed(hash ^ ((uint64_t)(uint32_t)code * UINT64_C(0x9E3779B97F4A7C15))) | 1; /* 0 is free */
}

/* Whether two of these rows have the same key, or finding that out takes too many steps. */
static int some_repeat(const int32_t *codes, const uint64_t *hashes, size_t rows, uint64_t *table, size_t size) {
    memset(table, 0, size * sizeof *table);
    for (size_t row = 0; row < rows; row++) {
        uint64_t key = pair_key(codes[row], hashes[row]);
        size_t place = (key >> 1) & (size - 1);
        for (int steps = 0; table[place]; place = (place + 1) & (size - 1))
            if (table[place] == key || ++steps > MOST_STEPS) return 1;
        table[place] = key;
    }
    return 0;
}

PyDoc_STRVAR(repeats_doc,
             "repeats(codes, hashes, bounds)\n--\n\n"
             "Whether two rows of a stretch may have the same case and the same hash; bounds are where stretches begin and end.");

static PyObject *repeats(PyObject *module, PyObject *args) {
    PyObject *objects[3];
    Py_buffer codes, hashes, bounds;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &objects[0], &objects[1], &objects[2])) return NULL;
    if (buffer_of(objects[0], &codes, PyBUF_SIMPLE, 0, "codes") < 0) return NULL;
    size_t rows = (size_t)codes.len / sizeof(int32_t);
    if (buffer_of(objects[1], &hashes, PyBUF_SIMPLE, rows * sizeof(uint64_t), "hashes") < 0) {
        PyBuffer_Release(&codes);
        return NULL;
    }
    if (buffer_of(objects[2], &bounds, PyBUF_SIMPLE, 0, "bounds") < 0) {
        PyBuffer_Release(&codes);
        PyBuffer_Release(&hashes);
        return NULL;
    }
    const int64_t *cut = bounds.buf;
    size_t stretches = (size_t)bounds.len / sizeof(int64_t), longest = 0;
    int wrong = 0, found = 0;
    for (size_t one = 1; one < stretches; one++) {
        if (cut[one - 1] < 0 || cut[one] < cut[one - 1] || (uint64_t)cut[one] > rows) wrong = 1;
        else if ((size_t)(cut[one] - cut[one - 1]) > longest) longest = (size_t)(cut[one] - cut[one - 1]);
    }
    uint64_t *table = wrong ? NULL : malloc(table_size(longest) * sizeof *table);
    if (table) {
        Py_BEGIN_ALLOW_THREADS for (size_t one = 1; one < stretches && !found; one++) {
            size_t from = (size_t)cut[one - 1], count = (size_t)(cut[one] - cut[one - 1]);
            found = some_repeat((const int32_t *)codes.buf + from, (const uint64_t *)hashes.buf + from, count, table,
                                table_size(count));
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&codes);
    PyBuffer_Release(&hashes);
    PyBuffer_Release(&bounds);
    if (wrong) PyErr_SetString(PyExc_ValueError, "bounds are out of range");
    else if (!table) PyErr_NoMemory();
    free(table);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(found);
}

/* Texts in a buffer: where each starts; it ends with a space, a tab, a line end or the buffer. */
typedef struct {
    const char *data;
    size_t size, rows;
    const uint32_t *starts;
    const uint64_t *hashes;
    const int32_t *codes;
} Texts;

static size_t end_of(const Texts *texts, size_t at) {
    while (at < texts->size && texts->data[at] != ' ' && texts->data[at] != '\t' && texts->data[at] != '\n') at++;
    return at;
}

static int equal_texts(const Texts *one, size_t row, const Texts *other, size_t place) {
    if (!one->data || !other->data) return one->hashes[row] == other->hashes[place];
    size_t from = one->starts[row], start = other->starts[place];
    size_t length = end_of(other, start) - start;
    return from + length <= one->size && end_of(one, from) - from == length &&
           !memcmp(one->data + from, other->data + start, length);
}

static int find_rows(const Texts *gold, const Texts *run, int64_t *rows, int64_t *of_gold, size_t room, size_t *found) {
    size_t size = table_size(gold->rows);
    uint64_t *keys = calloc(size, sizeof *keys), *some = calloc(size / 8, sizeof *some); /* a bit for some keys: most have none */
    int32_t *place_of = malloc(size * sizeof *place_of);
    if (!keys || !some || !place_of) {
        free(keys);
        free(some);
        free(place_of);
        return NO_MEMORY;
    }
    int done = READ;
    for (size_t row = 0; row < gold->rows && done == READ; row++) {
        uint64_t key = pair_key(gold->codes[row], gold->hashes[row]);
        size_t place = (key >> 1) & (size - 1);
        for (int steps = 0; keys[place] && done == READ; place = (place + 1) & (size - 1))
            if (++steps > MOST_STEPS) done = ODD;
        keys[place] = key;
        place_of[place] = (int32_t)row;
        some[(key >> 7) & (size / 8 - 1)] |= UINT64_C(1) << (key >> 1 & 63);
    }
    for (size_t row = 0; row < run->rows && *found < room && done == READ; row++) {
        uint64_t key = pair_key(run->codes[row], run->hashes[row]);
        if (!(some[(key >> 7) & (size / 8 - 1)] >> (key >> 1 & 63) & 1)) continue;
        int steps = 0;
        for (size_t place = (key >> 1) & (size - 1); keys[place]; place = (place + 1) & (size - 1)) {
            size_t known = (size_t)place_of[place];
            if (++steps > MOST_STEPS) {
                done = ODD;
                break;
            }
            if (keys[place] == key && gold->codes[known] == run->codes[row] && equal_texts(run, row, gold, known)) {
                rows[*found] = (int64_t)row;
                of_gold[(*found)++] = (int64_t)known;
                break;
            }
        }
    }
    free(keys);
    free(some);
    free(place_of);
    return done;
}

static int texts_of(PyObject *objects, Py_buffer *views, Texts *texts) {
    int held = 0;
    PyObject *one;
    for (; held < 4; held++) {
        one = PyTuple_GetItem(objects, held);
        if (one == Py_None && !held) memset(&views[held], 0, sizeof views[held]); /* releasing it does nothing */
        else if (!one || PyObject_GetBuffer(one, &views[held], PyBUF_C_CONTIGUOUS) < 0) goto failed;
    }
    texts->data = views[0].buf, texts->size = views[0].obj ? (size_t)views[0].len : UINT32_MAX;
    texts->starts = views[1].buf, texts->hashes = views[2].buf, texts->codes = views[3].buf;
    texts->rows = (size_t)views[3].len / sizeof(int32_t);
    if ((size_t)views[1].len / sizeof(uint32_t) == texts->rows && (size_t)views[2].len / sizeof(uint64_t) == texts->rows &&
        texts->rows <= INT32_MAX) {
        size_t row = 0;
        while (row < texts->rows && texts->starts[row] <= texts->size) row++;
        if (row == texts->rows) return 0;
    }
    PyErr_SetString(PyExc_ValueError, "texts, hashes and codes do not belong together");
failed:
    while (held > 0) PyBuffer_Release(&views[--held]);
    return -1;
}

PyDoc_STRVAR(find_doc,
             "find(gold, run, rows, of_gold)\n--\n\n"
             "The rows of a run whose case and item the gold has, and the gold's row of each, into two arrays of 64-bit integers\n"
             "as long as there is room; both sides are (data, starts, hashes, codes). Returns how many there are, or -1 if too many\n"
             "hashes collide. If the data of a side is None, hashes alone decide, and it is for the caller to compare the texts.");

static PyObject *find(PyObject *module, PyObject *args) {
    PyObject *objects[4];
    Py_buffer of_gold[4], of_run[4], outs[2];
    Texts gold, run;
    size_t found = 0;
    int done = READ;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!OO", &PyTuple_Type, &objects[0], &PyTuple_Type, &objects[1], &objects[2], &objects[3]))
        return NULL;
    if (texts_of(objects[0], of_gold, &gold) < 0) return NULL;
    if (texts_of(objects[1], of_run, &run) == 0) {
        if (buffer_of(objects[2], &outs[0], PyBUF_WRITABLE, 0, "rows") == 0) {
            if (buffer_of(objects[3], &outs[1], PyBUF_WRITABLE, (size_t)outs[0].len, "of_gold") == 0) {
                Py_BEGIN_ALLOW_THREADS done = find_rows(&gold, &run, outs[0].buf, outs[1].buf, (size_t)outs[0].len / sizeof(int64_t), &found);
                Py_END_ALLOW_THREADS PyBuffer_Release(&outs[1]);
            }
            PyBuffer_Release(&outs[0]);
        }
        for (int one = 0; one < 4; one++) PyBuffer_Release(&of_run[one]);
    }
    for (int one = 0; one < 4; one++) PyBuffer_Release(&of_gold[one]);
    if (done == NO_MEMORY) PyErr_NoMemory();
    return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(done == ODD ? -1 : (Py_ssize_t)found);
}

PyDoc_STRVAR(plain_doc,
             "plain(data, types, values)\n--\n\n"
             "Write all numbers of {case: {item: number}} into an array that has just the room. Returns the largest size among\n"
             "them, or NaN; None if names are not plain texts, or numbers neither floats, ints nor of these types.");

PyDoc_STRVAR(look_up_doc,
             "look_up(data, codes_of_cases, rows_of_items, codes, rows)\n--\n\n"
             "Write the number of the case of each item, and the row of the item in a list of {item: row} for each case, -1 for\n"
             "none. Returns whether every case was known and all of it had just the room.");

PyDoc_STRVAR(rank_doc,
             "rank(codes, values, judged, given, ranks)\n--\n\n"
             "Rank the lists of codes by falling values; judged are ascending rows. Writes the judged rows list by list and from\n"
             "the top: which one it is, and its rank. Returns 1, or 0 if codes do not ascend, or -1 if two values of a list are\n"
             "equal: then nothing is decided.");

PyDoc_STRVAR(tags_doc,
             "tags(data, skips, skip_lines, most, into)\n--\n\n"
             "Read tokens, one a line with its tag in the last column; None if there is anything odd in them, such as a tag of\n"
             "more than `most` bytes. Lines that start at the places of `skips` are left out, and their numbers written;\n"
             "without any, a line that may be a comment or the mark of a document is odd.\n"
             "Arrays, with room for every line: the bytes before the tag of each token; the token and the line with which each\n"
             "sentence begins; and token, sentence, line and tag of each token whose tag is not O.\n"
             "Returns how many tokens, sentences and tagged tokens there are, and the different tags.");

PyDoc_STRVAR(chunks_doc,
             "chunks(position, sequence, prefix, kind, rules, first, last, covered)\n--\n\n"
             "The first and the last row of each span that tags mark, and which rows are in a span; prefixes are below `letters`,\n"
             "and rules say for (before, at, same kind), one byte each, whether a span starts, goes on and ends.\n"
             "Returns how many spans there are.");

PyDoc_STRVAR(labels_doc,
             "labels(data, begin, separator, columns, room, into)\n--\n\n"
             "Read lines of columns from a place on; None if there is anything odd in them, such as an empty column or a quote.\n"
             "Columns are how many there are, and which have the case, the item and the label; -1 for no case.\n"
             "Arrays, with room for every line: the numbers of its case and its label, and the start and the hash of its item.\n"
             "Returns how many lines there are, the different cases and labels, and whether all bytes are ASCII.");

PyDoc_STRVAR(equal_columns_doc,
             "equal_columns(one, other)\n--\n\n"
             "Whether values are equal one by one; both sides are (data, starts, separator).");

PyDoc_STRVAR(equal_on_disk_doc,
             "equal_on_disk(file, size, starts, text, others)\n--\n\n"
             "Whether the ids that start at these places of an open file are those that start at other places of a text: 1 or 0,\n"
             "or -1 if the file cannot be read like this, or has become shorter.");

static PyMethodDef METHODS[] = {{"plain", plain_dicts, METH_VARARGS, plain_doc},
                                {"look_up", find_in_dicts, METH_VARARGS, look_up_doc},
                                {"rank", rank_judged, METH_VARARGS, rank_doc},
                                {"scan", scan_text, METH_VARARGS, scan_doc},
                                {"breaks", breaks, METH_VARARGS, breaks_doc},
                                {"repeats", repeats, METH_VARARGS, repeats_doc},
                                {"find", find, METH_VARARGS, find_doc},
                                {"equal_on_disk", equal_on_disk, METH_VARARGS, equal_on_disk_doc},
                                {"tags", scan_tags, METH_VARARGS, tags_doc},
                                {"chunks", find_chunks, METH_VARARGS, chunks_doc},
                                {"labels", scan_labels, METH_VARARGS, labels_doc},
                                {"equal_columns", equal_columns, METH_VARARGS, equal_columns_doc},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "plumbline_core", "Reads files quickly.", 0, METHODS,
                                    NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_plumbline_core(void) { return PyModuleDef_Init(&MODULE); }
