/* Reads tokens with their tags, a token a line, and finds the spans that tags mark.

   As in plumbline_core.c, nothing here reports an error about data: whatever is unusual is left to Python. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include "plumbline_parts.h"

typedef struct {
    const char *data;
    size_t size, room, most;
    const int64_t *skips; /* where lines start that are no tokens; NULL if nobody looked for them */
    size_t skip_count;
    int64_t *skip_lines;
    int32_t *prints; /* of what stands before each tag: equal texts have equal ones */
    int64_t *sentence_token, *sentence_line;
    int64_t *token, *sentence, *line, *code;
    size_t tokens, sentences, tagged;
    Names tags;
} Tagged;

static inline int is_blank(char byte) { return byte == ' ' || byte == '\t'; }

/* Whether a line may be a comment or begin a document. */
static inline int may_be_mark(const char *line, size_t length) {
    return *line == '#' || (*line == '-' && length > 1 && line[1] == 'D');
}

/* A token that is not outside of every span. */
static int take_tag(Tagged *read, size_t start, size_t length, size_t line, int32_t *code) {
    const char *data = read->data;
    const Name *before = read->tagged ? &read->tags.list[*code] : NULL;
    if (length > read->most) return ODD;
    int same = before && before->length == length && !memcmp(data + before->start, data + start, length);
    int done = same ? READ : code_of(&read->tags, data, start, length, hash_of(data + start, length), code);
    if (done != READ) return done;
    read->token[read->tagged] = (int64_t)read->tokens;
    read->sentence[read->tagged] = (int64_t)read->sentences - 1;
    read->line[read->tagged] = (int64_t)line;
    read->code[read->tagged++] = *code;
    return READ;
}

static int read_tags(Tagged *read) {
    const char *data = read->data;
    size_t begin = 0, line = 0, skip = 0;
    int between = 1; /* sentences */
    int32_t code = 0;
    for (; begin < read->size; line++) {
        const char *feed = memchr(data + begin, '\n', read->size - begin);
        size_t next = feed ? (size_t)(feed - data) + 1 : read->size, end = feed ? next - 1 : next, start = begin;
        begin = next;
        while (end > start && is_blank(data[end - 1])) end--;
        int ends_blank = end < next && is_blank(data[end]);
        if (skip < read->skip_count && read->skips[skip] == (int64_t)start) {
            if (ends_blank) return ODD;
            read->skip_lines[skip++] = (int64_t)line;
            between = 1;
            continue;
        }
        if (end == start) {
            between = 1;
            continue;
        }
        size_t tag = end;
        while (tag > start && !is_blank(data[tag - 1])) tag--;
        if (tag - start > INT32_MAX || line >= read->room) return ODD;
        if ((!read->skips || ends_blank) && may_be_mark(data + start, end - start)) return ODD;
        if (between) {
            read->sentence_token[read->sentences] = (int64_t)read->tokens;
            read->sentence_line[read->sentences++] = (int64_t)line;
            between = 0;
        }
        if (end - tag != 1 || data[tag] != 'O') {
            int done = take_tag(read, tag, end - tag, line, &code);
            if (done != READ) return done;
        }
        read->prints[read->tokens++] = (int32_t)(uint32_t)hash_of(data + start, tag - start);
    }
    return skip == read->skip_count ? READ : ODD;
}

PyObject *scan_tags(PyObject *module, PyObject *args) {
    enum { ARRAYS = 7 };
    static const size_t SIZES[ARRAYS] = {sizeof(int32_t), 8, 8, 8, 8, 8, 8};
    PyObject *data, *skips, *skip_lines, *into[ARRAYS], *result = NULL;
    Py_buffer text, skipped = {0}, of_lines = {0}, views[ARRAYS];
    Py_ssize_t most, room;
    Tagged read = {0};
    int held = 0, done = READ;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOnn(OOOOOOO)", &data, &skips, &skip_lines, &most, &room, &into[0], &into[1], &into[2], &into[3],
                          &into[4], &into[5], &into[6]))
        return NULL;
    if (room < 0 || (uint64_t)room > UINT32_MAX || most < 0) {
        PyErr_SetString(PyExc_ValueError, "room is out of range");
        return NULL;
    }
    if (buffer_of(data, &text, PyBUF_SIMPLE, 0, "data") < 0) return NULL;
    while (held < ARRAYS && buffer_of(into[held], &views[held], PyBUF_WRITABLE, (size_t)room * SIZES[held], "an array") == 0) held++;
    if (held == ARRAYS && (uint64_t)text.len <= UINT32_MAX &&
        (skips == Py_None || (buffer_of(skips, &skipped, PyBUF_SIMPLE, 0, "skips") == 0 &&
                              buffer_of(skip_lines, &of_lines, PyBUF_WRITABLE, (size_t)skipped.len, "skip_lines") == 0))) {
        read.data = text.buf, read.size = (size_t)text.len, read.room = (size_t)room, read.most = (size_t)most;
        read.skips = skipped.obj ? skipped.buf : NULL, read.skip_count = (size_t)skipped.len / sizeof(int64_t);
        read.skip_lines = of_lines.buf, read.prints = views[0].buf, read.sentence_token = views[1].buf;
        read.sentence_line = views[2].buf, read.token = views[3].buf, read.sentence = views[4].buf;
        read.line = views[5].buf, read.code = views[6].buf;
        Py_BEGIN_ALLOW_THREADS done = read_tags(&read);
        Py_END_ALLOW_THREADS if (done == NO_MEMORY) PyErr_NoMemory();
        PyObject *names = done == READ ? list_of_names(&read.tags, read.data) : NULL;
        if (names)
            result = Py_BuildValue("nnnN", (Py_ssize_t)read.tokens, (Py_ssize_t)read.sentences, (Py_ssize_t)read.tagged, names);
        if (!result && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) PyErr_Clear();
    }
    if (!result && !PyErr_Occurred()) result = Py_NewRef(Py_None);
    free_names(&read.tags);
    if (of_lines.obj) PyBuffer_Release(&of_lines);
    if (skipped.obj) PyBuffer_Release(&skipped);
    while (held > 0) PyBuffer_Release(&views[--held]);
    PyBuffer_Release(&text);
    return result;
}

typedef struct {
    const int64_t *position, *sequence, *prefix, *kind;
    size_t rows;
    const uint8_t *starts, *continues, *ends;
    int64_t *first, *last;
    uint8_t *covered;
} Chunks;

enum { LETTERS = 7, OUTSIDE = 0, RULES = LETTERS * LETTERS * 2 };

/* The place in a table of rules for a row and the one before it, which may be the end of all or of another sentence. */
static inline size_t rule_of(const Chunks *tags, size_t before, size_t at, int together) {
    size_t same = together && tags->kind[before] == tags->kind[at];
    return (size_t)((together ? tags->prefix[before] : OUTSIDE) * LETTERS + tags->prefix[at]) * 2 + same;
}

static inline int adjacent(const Chunks *tags, size_t row) {
    return row && row < tags->rows && tags->position[row] - tags->position[row - 1] == 1 && tags->sequence[row] == tags->sequence[row - 1];
}

static size_t read_chunks(const Chunks *tags) {
    size_t found = 0, open = 0;
    int is_open = 0;
    for (size_t row = 0; row < tags->rows; row++) {
        size_t rule = rule_of(tags, row - 1, row, adjacent(tags, row));
        if (!tags->continues[rule]) is_open = 0;
        if (tags->starts[rule] && !is_open) is_open = 1, open = row;
        tags->covered[row] = 0;
        if (!is_open) continue;
        size_t next = row + 1;
        int together = adjacent(tags, next);
        if (together && tags->continues[rule_of(tags, row, next, 1)]) continue;
        size_t same = together && tags->kind[row] == tags->kind[next];
        size_t after = (size_t)(tags->prefix[row] * LETTERS + (together ? tags->prefix[next] : OUTSIDE)) * 2 + same;
        if (tags->ends[after]) {
            tags->first[found] = (int64_t)open, tags->last[found++] = (int64_t)row;
            memset(tags->covered + open, 1, row - open + 1);
        }
    }
    return found;
}

PyObject *find_chunks(PyObject *module, PyObject *args) {
    enum { ARRAYS = 10, INPUTS = 4, OUTPUTS = 7 };
    PyObject *objects[ARRAYS];
    Py_buffer views[ARRAYS];
    size_t found = 0, bytes = 0;
    int held = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO(OOO)OOO", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4], &objects[5],
                          &objects[6], &objects[7], &objects[8], &objects[9]))
        return NULL;
    for (; held < ARRAYS; held++) {
        size_t least = held < INPUTS ? bytes : held < OUTPUTS ? RULES : held < ARRAYS - 1 ? bytes : bytes / sizeof(int64_t);
        if (buffer_of(objects[held], &views[held], held < OUTPUTS ? PyBUF_SIMPLE : PyBUF_WRITABLE, least, "an array") < 0) break;
        if (!held) bytes = (size_t)views[0].len;
    }
    if (held == ARRAYS) {
        Chunks tags = {views[0].buf, views[1].buf, views[2].buf, views[3].buf, bytes / sizeof(int64_t),
                       views[4].buf, views[5].buf, views[6].buf, views[7].buf, views[8].buf, views[9].buf};
        size_t row = 0;
        while (row < tags.rows && tags.prefix[row] >= 0 && tags.prefix[row] < LETTERS) row++;
        if (row < tags.rows) PyErr_SetString(PyExc_ValueError, "prefixes are out of range");
        else {
            Py_BEGIN_ALLOW_THREADS found = read_chunks(&tags);
            Py_END_ALLOW_THREADS
        }
    }
    while (held > 0) PyBuffer_Release(&views[--held]);
    return PyErr_Occurred() ? NULL : PyLong_FromSize_t(found);
}
