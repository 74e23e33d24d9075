"""The tables of the store, a module for each noun; `store.tables` names all of them.

Building a table costs more than reading a text from it, so a module is imported by what uses its rows.
Before a row is written, the tables that it refers to must be there as well: SQLAlchemy orders writes by them.
"""
