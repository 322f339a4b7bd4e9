/* What the files of the module have in common. */

#ifndef PLUMBLINE_PARTS_H
#define PLUMBLINE_PARTS_H

#include "plumbline_names.h"
#include <Python.h>

PyObject *plain_dicts(PyObject *module, PyObject *args);
PyObject *find_in_dicts(PyObject *module, PyObject *args);
PyObject *rank_judged(PyObject *module, PyObject *args);
PyObject *equal_on_disk(PyObject *module, PyObject *args);
PyObject *scan_tags(PyObject *module, PyObject *args);
PyObject *find_chunks(PyObject *module, PyObject *args);
PyObject *scan_labels(PyObject *module, PyObject *args);
PyObject *equal_columns(PyObject *module, PyObject *args);

/* A view of at least so many bytes. */
static inline int buffer_of(PyObject *object, Py_buffer *view, int flags, size_t bytes, const char *name) {
    if (PyObject_GetBuffer(object, view, flags | PyBUF_C_CONTIGUOUS) < 0) return -1;
    if ((size_t)view->len < bytes) {
        PyErr_Format(PyExc_ValueError, "%s is too short", name);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

/* Names as a list of str; an error if some are no UTF-8. */
static inline PyObject *list_of_names(const Names *names, const char *data) {
    PyObject *list = PyList_New((Py_ssize_t)names->count);
    for (size_t one = 0; list && one < names->count; one++) {
        PyObject *text = PyUnicode_DecodeUTF8(data + names->list[one].start, (Py_ssize_t)names->list[one].length, "strict");
        if (!text || PyList_SetItem(list, (Py_ssize_t)one, text) < 0) Py_CLEAR(list);
    }
    return list;
}

#endif
