"""Which cells of a notebook a task needs: those that define its function, and what these look up in their turn."""

import re
import symtable

MAGIC = re.compile(r"^\s*[%!?].*$", re.MULTILINE)
MAX_CHARACTERS = 100_000  # of a cell that is read: Python takes a thousand times as much memory for longer ones


def needed(book, end, function):
    """Places of the code cells before the place `end` that a function needs, if it is called there.

    What nothing needed looks up is left away: a thread, a hook or a library that some other cell has changed.
    """
    imported, bound, used, found = {}, {}, {}, set()
    for place, cell in enumerate(book.cells[:end]):
        if cell.cell_type == "code":
            imports, binds, used[place] = names(cell.source)
            imported = dict.fromkeys(imports, place) | imported  # the notebook's own import, and not a later one
            bound |= dict.fromkeys(binds, place)
            found |= {place} if "import *" in cell.source else set()
    waiting = {function}.union(*(used[place] for place in found))
    looked_up = set()
    while waiting - looked_up:
        name = (waiting - looked_up).pop()
        looked_up.add(name)
        places = {where[name] for where in (imported, bound) if name in where}
        found |= places
        waiting = waiting.union(*(used[place] for place in places))
    return found


def names(source):
    """Sets of names that a cell imports, that it binds in other ways, and that it looks up, all of the notebook's."""
    try:
        table = symtable.symtable(MAGIC.sub("", source) if len(source) <= MAX_CHARACTERS else "", "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(), set(), set()  # it does not run either
    imports = {one.get_name() for one in table.get_symbols() if one.is_imported()}
    defines = {one.get_name() for one in table.get_symbols() if one.is_namespace()}
    assigns = {one.get_name() for one in table.get_symbols() if one.is_assigned()}
    looks_up, waiting = set(), [table]
    while waiting:
        part = waiting.pop()
        waiting += part.get_children()
        own = [one for one in part.get_symbols() if part is table or one.is_global()]
        looks_up |= {one.get_name() for one in own if one.is_referenced()}
    return imports, (assigns | defines) - imports, looks_up - imports - defines
