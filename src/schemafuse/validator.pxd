from .errors cimport Report
from .explain cimport explain_invalid
