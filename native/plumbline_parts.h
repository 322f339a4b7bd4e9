/* What the files of the module have in common. */

#ifndef PLUMBLINE_PARTS_H
#define PLUMBLINE_PARTS_H

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

#endif
