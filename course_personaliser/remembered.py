"""What a browser keeps for a listener: the pseudonym until it is deleted, the secret word as long as the tab is open.

Lecture: 12, section 6.
"""

from course_widgets.extras import anywidget, traitlets


class Remembered(anywidget.AnyWidget):
    """A pseudonym and a secret word that the listener's browser keeps; nothing is seen of it.

    pseudonym, secret : what is to be kept; "" forgets it
    then : function (pseudonym, secret, lost) of what the browser has kept from an earlier visit, and whether that
        ended with a lost connection
    """

    _esm = """
    const NAME = "course-personaliser";
    const PLACES = { pseudonym: () => localStorage, secret: () => sessionStorage };
    function within(place, what) { // a browser may forbid it
      try { return what(place()) ?? ""; } catch { return ""; }
    }
    export default {
      initialize({ model }) {
        const kept = {};
        for (const [name, place] of Object.entries(PLACES)) {
          kept[name] = within(place, (store) => store.getItem(NAME));
          model.on(`change:${name}`, () => within(place, (store) => store.setItem(NAME, model.get(name))));
        }
        const lost = within(PLACES.secret, (store) => {
          const found = store.getItem(`${NAME}-lost`);
          store.removeItem(`${NAME}-lost`);
          return found;
        });
        model.send({ ...kept, lost: lost !== "" });
      },
      render() {},
    };
    """

    pseudonym = traitlets.Unicode("").tag(sync=True)
    secret = traitlets.Unicode("").tag(sync=True)

    def __init__(self, then):
        super().__init__()
        self.on_msg(lambda widget, content, buffers: then(**content))
