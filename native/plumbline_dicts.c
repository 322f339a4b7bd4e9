/* Dicts of dicts become arrays, and lists without equal scores are ranked.

   As in plumbline_core.c, nothing here reports an error about data: whatever is unusual is left to Python. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include "plumbline_parts.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int writable(PyObject *object, Py_buffer *view) {
    return PyObject_GetBuffer(object, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS);
}

/* A float, an int or one of these types, as a double; 0 if it is anything else. */
static int number_of(PyObject *number, PyObject *types, double *value) {
    PyTypeObject *kind = Py_TYPE(number);
    int known = PyFloat_CheckExact(number) || PyLong_CheckExact(number);
    for (Py_ssize_t one = 0; !known && one < PyTuple_Size(types); one++) known = PyTuple_GetItem(types, one) == (PyObject *)kind;
    if (!known) return 0;
    *value = PyFloat_AsDouble(number);
    if (*value != -1.0 || !PyErr_Occurred()) return 1;
    PyErr_Clear(); /* a whole number beyond all doubles */
    return 0;
}

/* Whether it is a text that can be written: one without half of a pair of surrogates. */
static int is_text(PyObject *object) {
    if (!PyUnicode_CheckExact(object)) return 0;
    if (PyUnicode_AsUTF8AndSize(object, NULL)) return 1;
    PyErr_Clear();
    return 0;
}

static int read_case(PyObject *items, PyObject *types, double *values, size_t room, size_t *row, double *largest) {
    PyObject *item, *number;
    for (Py_ssize_t at = 0; PyDict_Next(items, &at, &item, &number);) {
        if (*row >= room || !is_text(item) || !number_of(number, types, &values[*row])) return 0;
        double size = fabs(values[(*row)++]);
        if (isnan(size) || size > *largest) *largest = size; /* NaN stays: nothing is larger */
    }
    return 1;
}

PyObject *plain_dicts(PyObject *module, PyObject *args) {
    PyObject *data, *types, *into, *name, *items;
    Py_buffer values;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyDict_Type, &data, &PyTuple_Type, &types, &into) || writable(into, &values) < 0)
        return NULL;
    size_t room = (size_t)values.len / sizeof(double), row = 0;
    double largest = 0.0;
    int plain = 1;
    for (Py_ssize_t at = 0; plain && PyDict_Next(data, &at, &name, &items);)
        plain = is_text(name) && PyDict_CheckExact(items) && read_case(items, types, values.buf, room, &row, &largest);
    PyBuffer_Release(&values);
    if (PyErr_Occurred()) return NULL;
    return plain && row == room ? PyFloat_FromDouble(largest) : Py_NewRef(Py_None);
}

/* The gold's row of each item of a case, -1 for none. */
static int find_items(PyObject *items, PyObject *known, int32_t code, int32_t *codes, int64_t *rows, size_t room, size_t *row) {
    PyObject *item, *number;
    for (Py_ssize_t at = 0; PyDict_Next(items, &at, &item, &number);) {
        if (*row >= room || !PyUnicode_CheckExact(item)) return 0;
        PyObject *found = PyDict_GetItemWithError(known, item);
        if (!found && PyErr_Occurred()) return 0;
        codes[*row] = code;
        rows[(*row)++] = found ? (int64_t)PyLong_AsLongLong(found) : -1;
    }
    return !PyErr_Occurred();
}

PyObject *find_in_dicts(PyObject *module, PyObject *args) {
    PyObject *data, *codes_of, *rows_of, *outs[2], *name, *items;
    Py_buffer codes, rows;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O!OO", &PyDict_Type, &data, &PyDict_Type, &codes_of, &PyList_Type, &rows_of, &outs[0],
                          &outs[1]) ||
        writable(outs[0], &codes) < 0)
        return NULL;
    if (writable(outs[1], &rows) < 0) {
        PyBuffer_Release(&codes);
        return NULL;
    }
    size_t room = (size_t)codes.len / sizeof(int32_t), row = 0;
    int found = (size_t)rows.len / sizeof(int64_t) >= room;
    for (Py_ssize_t at = 0; found && PyDict_Next(data, &at, &name, &items);) {
        PyObject *number = PyUnicode_CheckExact(name) && PyDict_CheckExact(items) ? PyDict_GetItemWithError(codes_of, name) : NULL;
        Py_ssize_t code = number ? PyLong_AsSsize_t(number) : -1;
        PyObject *known = code >= 0 && code <= INT32_MAX ? PyList_GetItem(rows_of, code) : NULL;
        found = known && PyDict_CheckExact(known) &&
                find_items(items, known, (int32_t)code, codes.buf, rows.buf, room, &row);
    }
    PyBuffer_Release(&codes);
    PyBuffer_Release(&rows);
    if (PyErr_Occurred()) return NULL;
    return PyBool_FromLong(found && row == room);
}

typedef struct {
    uint64_t key;
    uint32_t place;
} Scored;

/* A number that is smaller for a higher score; 0 and -0 are one score. */
static inline uint64_t falling(double score) {
    uint64_t bits;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~(bits | UINT64_C(1) << 63);
}

enum { FEW = 32, DIGITS = 256 };

static void insert_sorted(Scored *list, size_t count) {
    for (size_t one = 1; one < count; one++) {
        Scored moved = list[one];
        size_t to = one;
        for (; to && list[to - 1].key > moved.key; to--) list[to] = list[to - 1];
        list[to] = moved;
    }
}

/* By digits from the last to the first; a digit that all keys share is passed over. Returns where the sorted list is. */
static Scored *sorted(Scored *list, Scored *spare, size_t count) {
    if (count <= FEW) {
        insert_sorted(list, count);
        return list;
    }
    uint32_t many[8][DIGITS] = {{0}};
    for (size_t one = 0; one < count; one++)
        for (int digit = 0; digit < 8; digit++) many[digit][list[one].key >> 8 * digit & 0xff]++;
    for (int digit = 0; digit < 8; digit++) {
        if (many[digit][list[0].key >> 8 * digit & 0xff] == count) continue;
        uint32_t next[DIGITS], sum = 0;
        for (int value = 0; value < DIGITS; value++) next[value] = sum, sum += many[digit][value];
        for (size_t one = 0; one < count; one++) spare[next[list[one].key >> 8 * digit & 0xff]++] = list[one];
        Scored *swapped = list;
        list = spare, spare = swapped;
    }
    return list;
}

typedef struct {
    const int32_t *codes;
    const double *values;
    const int64_t *judged;
    int64_t *given;
    double *ranks;
    size_t rows, judged_rows;
    Scored *list, *spare;
    uint8_t *seen;
} Lists;

enum { IN_ORDER = 1, OTHER_ORDER = 0, TIED = -1, SCATTERED = -2 };

/* One list from row `from` on: its judged rows by rank, which are those from `first` on; 0 if two scores are equal. */
static int rank_list(Lists *lists, size_t from, size_t count, size_t *first) {
    const double *values = lists->values + from;
    size_t last = *first;
    while (last < lists->judged_rows && (size_t)lists->judged[last] < from + count) last++;
    size_t one = 1;
    while (one < count && values[one] < values[one - 1]) one++;
    if (one == count) {
        for (; *first < last; ++*first) {
            lists->given[*first] = (int64_t)*first;
            lists->ranks[*first] = (double)((size_t)lists->judged[*first] - from + 1);
        }
        return 1;
    }
    for (one = 0; one < count; one++) lists->list[one] = (Scored){falling(values[one]), (uint32_t)one};
    Scored *in_order = sorted(lists->list, lists->spare, count);
    for (one = 1; one < count; one++)
        if (in_order[one].key == in_order[one - 1].key) return 0;
    uint32_t *rank_of = (uint32_t *)(in_order == lists->list ? lists->spare : lists->list); /* the other one is free */
    for (one = 0; one < count; one++) rank_of[in_order[one].place] = (uint32_t)one;
    size_t some = last - *first;
    Scored *found = in_order; /* no longer needed: at most as many judged rows as rows */
    for (one = 0; one < some; one++) {
        size_t place = (size_t)lists->judged[*first + one] - from;
        found[one] = (Scored){rank_of[place], (uint32_t)one};
    }
    Scored *by_rank = sorted(found, (Scored *)rank_of, some);
    for (one = 0; one < some; one++) {
        lists->given[*first + one] = (int64_t)(*first + by_rank[one].place);
        lists->ranks[*first + one] = (double)(by_rank[one].key + 1);
    }
    *first = last;
    return 1;
}

static int rank_lists(Lists *lists, size_t most) {
    size_t first = 0;
    int outcome = IN_ORDER;
    for (size_t from = 0, to; from < lists->rows; from = to) {
        int32_t code = lists->codes[from];
        for (to = from + 1; to < lists->rows && lists->codes[to] == code; to++) continue;
        if (code < 0 || (size_t)code > most) return TIED;
        if (lists->seen[code]) return SCATTERED; /* a case that comes back */
        lists->seen[code] = 1;
        if (from && code < lists->codes[from - 1]) outcome = OTHER_ORDER;
        if (!rank_list(lists, from, to - from, &first)) return TIED;
    }
    return first == lists->judged_rows ? outcome : TIED;
}

/* The longest list and the highest code. */
static void extent(const Lists *lists, size_t *longest, size_t *most) {
    for (size_t from = 0, to; from < lists->rows; from = to) {
        for (to = from + 1; to < lists->rows && lists->codes[to] == lists->codes[from]; to++) continue;
        if (to - from > *longest) *longest = to - from;
        if (lists->codes[from] > 0 && (size_t)lists->codes[from] > *most) *most = (size_t)lists->codes[from];
    }
}

static int ranked_together(Lists *lists) {
    size_t longest = 0, most = 0;
    extent(lists, &longest, &most);
    if (longest > INT32_MAX) return TIED;
    lists->list = malloc((longest + 1) * sizeof *lists->list);
    lists->spare = malloc((longest + 1) * sizeof *lists->spare);
    lists->seen = calloc(most + 1, 1);
    int outcome = lists->list && lists->spare && lists->seen ? rank_lists(lists, most) : TIED;
    free(lists->list);
    free(lists->spare);
    free(lists->seen);
    return outcome;
}

/* Room for rows whose cases are brought together. */
typedef struct {
    size_t *next;
    int32_t *codes;
    double *values;
    int64_t *judged;
    Scored *order, *spare;
} Together;

/* All rows case by case, otherwise in their order, and where the judged rows are then. */
static void bring_together(const Lists *lists, size_t most, Together *to, Scored **order) {
    size_t judged = 0;
    for (size_t row = 0; row < lists->rows; row++) to->next[(size_t)lists->codes[row] + 1]++;
    for (size_t code = 0; code < most; code++) to->next[code + 1] += to->next[code];
    for (size_t row = 0; row < lists->rows; row++) {
        size_t place = to->next[lists->codes[row]]++;
        to->codes[place] = lists->codes[row];
        to->values[place] = lists->values[row];
        if (judged < lists->judged_rows && (size_t)lists->judged[judged] == row) {
            to->order[judged] = (Scored){place, (uint32_t)judged};
            judged++;
        }
    }
    *order = sorted(to->order, to->spare, lists->judged_rows);
    for (size_t one = 0; one < lists->judged_rows; one++) to->judged[one] = (int64_t)(*order)[one].key;
}

static int ranked_scattered(Lists *lists) {
    size_t rows = lists->rows, count = lists->judged_rows, most = 0, longest = 0;
    extent(lists, &longest, &most);
    Together to = {calloc(most + 2, sizeof *to.next),         malloc((rows + 1) * sizeof *to.codes),
                   malloc((rows + 1) * sizeof *to.values),    malloc((count + 1) * sizeof *to.judged),
                   malloc((count + 1) * sizeof *to.order),    malloc((count + 1) * sizeof *to.spare)};
    int outcome = TIED;
    if (to.next && to.codes && to.values && to.judged && to.order && to.spare) {
        Scored *order;
        bring_together(lists, most, &to, &order);
        Lists grouped = {to.codes, to.values, to.judged, lists->given, lists->ranks, rows, count, NULL, NULL, NULL};
        outcome = ranked_together(&grouped);
        for (size_t one = 0; one < count && outcome >= 0; one++)
            lists->given[one] = (int64_t)order[lists->given[one]].place;
    }
    free(to.next);
    free(to.codes);
    free(to.values);
    free(to.judged);
    free(to.order);
    free(to.spare);
    return outcome;
}

static int ranked(Lists *lists) {
    for (size_t one = 0; one < lists->judged_rows; one++)
        if (lists->judged[one] < (one ? lists->judged[one - 1] + 1 : 0) || (size_t)lists->judged[one] >= lists->rows) return TIED;
    for (size_t row = 0; row < lists->rows; row++)
        if (lists->codes[row] < 0) return TIED;
    int outcome = ranked_together(lists);
    return outcome == SCATTERED ? ranked_scattered(lists) : outcome;
}

PyObject *rank_judged(PyObject *module, PyObject *args) {
    static const size_t SIZES[] = {sizeof(int32_t), sizeof(double), sizeof(int64_t), sizeof(int64_t), sizeof(double)};
    PyObject *objects[5];
    Py_buffer views[5];
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOO", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4])) return NULL;
    int held = 0, outcome = TIED;
    while (held < 5 && PyObject_GetBuffer(objects[held], &views[held], (held > 2 ? PyBUF_WRITABLE : 0) | PyBUF_C_CONTIGUOUS) == 0) held++;
    if (held == 5) {
        size_t count[5];
        for (int one = 0; one < 5; one++) count[one] = (size_t)views[one].len / SIZES[one];
        Lists lists = {views[0].buf, views[1].buf, views[2].buf, views[3].buf, views[4].buf, count[0], count[2], NULL, NULL, NULL};
        if (count[1] != count[0] || count[3] != count[2] || count[4] != count[2])
            PyErr_SetString(PyExc_ValueError, "rows and judged rows do not belong together");
        else {
            Py_BEGIN_ALLOW_THREADS outcome = ranked(&lists);
            Py_END_ALLOW_THREADS
        }
    }
    while (held > 0) PyBuffer_Release(&views[--held]);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(outcome);
}
