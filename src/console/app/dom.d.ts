/** The files of this folder run in a browser. */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
