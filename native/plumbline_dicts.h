#ifndef PLUMBLINE_DICTS_H
#define PLUMBLINE_DICTS_H

#include <Python.h>

PyObject *plain_dicts(PyObject *module, PyObject *args);
PyObject *find_in_dicts(PyObject *module, PyObject *args);
PyObject *rank_judged(PyObject *module, PyObject *args);

#endif
